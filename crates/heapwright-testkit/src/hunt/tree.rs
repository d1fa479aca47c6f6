//! Random code as trees, which have a text, a shape, and smaller trees to try in their place.

use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::Arc;

/// Piece of code made by a rule of a grammar.
#[derive(Clone, Debug)]
pub struct Tree {
    /// What it is: a type, of an expression, or a word, as `stmt`.
    pub sort: Arc<str>,
    /// Its text and its parts.
    pub parts: Vec<Part>,
}

/// Part of a [`Tree`].
#[derive(Clone, Debug)]
pub enum Part {
    /// Text of the rule.
    Text(Arc<str>),
    /// Name or constant, which is no part of the shape.
    Leaf(String),
    /// Tree of another rule.
    Child(Tree),
    /// Trees of which each can be left out.
    List(Vec<Tree>),
}

impl Tree {
    /// Creates a tree that is only a text.
    pub fn text(sort: &str, text: &str) -> Tree {
        Tree {
            sort: sort.into(),
            parts: vec![Part::Text(text.into())],
        }
    }

    /// The code.
    pub fn code(&self) -> String {
        let mut code = String::new();
        self.write(&mut code);
        code
    }

    fn write(&self, to: &mut String) {
        for part in &self.parts {
            match part {
                Part::Text(text) => to.push_str(text),
                Part::Leaf(text) => to.push_str(text),
                Part::Child(tree) => tree.write(to),
                Part::List(trees) => trees.iter().for_each(|tree| tree.write(to)),
            }
        }
    }

    /// Hash of the code without names and constants.
    pub fn shape(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash_shape(&mut hasher);
        hasher.finish()
    }

    fn hash_shape(&self, to: &mut DefaultHasher) {
        self.sort.hash(to);
        for part in &self.parts {
            match part {
                Part::Text(text) => text.hash(to),
                Part::Leaf(_) => 0.hash(to),
                Part::Child(tree) => tree.hash_shape(to),
                Part::List(trees) => {
                    trees.len().hash(to);
                    trees.iter().for_each(|tree| tree.hash_shape(to));
                }
            }
        }
    }

    fn children(&self) -> impl Iterator<Item = &Tree> {
        self.parts.iter().flat_map(|part| match part {
            Part::Child(tree) => std::slice::from_ref(tree),
            Part::List(trees) => trees,
            Part::Text(_) | Part::Leaf(_) => &[],
        })
    }

    /// Trees below this one, of the same sort, the outermost ones.
    fn below(&self, sort: &str, to: &mut Vec<Tree>) {
        for child in self.children() {
            match *child.sort == *sort {
                true => to.push(child.clone()),
                false => child.below(sort, to),
            }
        }
    }

    /// Smaller trees: something is left out, or a part takes the place of what it is a part of, or
    /// one of the `simplest` trees of its sort does. The largest steps come first.
    pub fn smaller(&self, simplest: &dyn Fn(&str) -> Vec<Tree>) -> Vec<Tree> {
        let size = self.code().len();
        let mut found = Vec::new();
        self.visit(simplest, &mut |tree| found.push((tree.code().len(), tree)));
        found.retain(|one| one.0 < size);
        found.sort_by_key(|one| one.0);
        found.into_iter().map(|one| one.1).collect()
    }

    fn visit(&self, simplest: &dyn Fn(&str) -> Vec<Tree>, with: &mut dyn FnMut(Tree)) {
        for (at, part) in self.parts.iter().enumerate() {
            let mut replaced = |part: Part| {
                let mut tree = self.clone();
                tree.parts[at] = part;
                with(tree);
            };
            match part {
                Part::Text(_) | Part::Leaf(_) => {}
                Part::Child(child) => {
                    let mut others = simplest(&child.sort);
                    child.below(&child.sort, &mut others);
                    others
                        .into_iter()
                        .for_each(|other| replaced(Part::Child(other)));
                    child.visit(simplest, &mut |tree| replaced(Part::Child(tree)));
                }
                Part::List(trees) => {
                    if trees.len() > 2 {
                        let (first, second) = trees.split_at(trees.len() / 2);
                        replaced(Part::List(first.to_vec()));
                        replaced(Part::List(second.to_vec()));
                    }
                    for number in 0..trees.len() {
                        let with_others = |others: &[Tree]| {
                            let (first, second) = (&trees[..number], &trees[number + 1..]);
                            Part::List([first, others, second].concat())
                        };
                        replaced(with_others(&[]));
                        let mut parts = Vec::new();
                        trees[number].below(&trees[number].sort, &mut parts);
                        if !parts.is_empty() {
                            replaced(with_others(&parts));
                        }
                        trees[number].visit(simplest, &mut |tree| replaced(with_others(&[tree])));
                    }
                }
            }
        }
    }
}
