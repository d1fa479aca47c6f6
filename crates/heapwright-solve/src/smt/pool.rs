//! Hash-consed terms.

use std::cell::RefCell;

use rustc_hash::{FxHashMap, FxHashSet};

use super::bounds::{self, Bounds};
use super::display::Display;
use super::eval;
use super::sets::Set;
use super::term::{Assignment, Binary, Node, Sort, Term, Unary, VariableRange};
use super::unbounded;

/// Properties of a term.
#[derive(Clone, Copy, Debug)]
struct PoolEntry {
    node: Node,
    sort: Sort,
    digest: u128,
    /// Range of its variables in `TermPool::variables`; the next field is the vector's length after
    /// its creation.
    variables: (u32, u32),
    variables_end: u32,
    /// Number of nodes as a tree, saturated.
    size: u32,
    /// Bounds of an integer or a truth value.
    bounds: Bounds,
    difficulty: Difficulty,
    layers: Layers,
    /// Whether the term contains a mathematical integer.
    is_unbounded: bool,
}

/// Difficulty of a term for solvers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Difficulty {
    Easy,
    /// Products and quotients of variables, floating-point arithmetic, mathematical integers.
    Hard,
    /// Floating-point remainders, and arithmetic and bitwise operations in many layers, such as the
    /// number of bits in a word: circuits of thousands of steps, many of which Z3 cannot even read.
    Hopeless,
}

/// Alternating layers of arithmetic and bitwise operations on integers in a term. Each layer of
/// arithmetic makes each bit depend on all lower ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct Layers {
    number: u8,
    /// Whether the outermost one is bitwise.
    is_bitwise: bool,
}

/// Maximum number of layers that are worth asking Z3.
const MAX_LAYERS: u8 = 8;

/// Maximum number of solution sets that are kept.
const MAX_TABULATED: usize = 10_000;

/// Set of all terms of a machine; equal terms have one number.
#[derive(Clone, Debug, Default)]
pub struct TermPool {
    entries: Vec<PoolEntry>,
    numbers: FxHashMap<Node, Term>,
    variables: Vec<u32>,
    /// Range of each variable, including those of discarded terms.
    inputs: FxHashMap<u32, VariableRange>,
    /// Solution sets of conditions on one variable that were tabulated, by digest.
    tabulated: RefCell<FxHashMap<u128, Option<Set>>>,
    /// Number of times that each index was reused; only in a debug build.
    generations: Vec<u8>,
    /// Whether simplification is disabled: the reference for tests of the simplifier.
    is_plain: bool,
}

impl TermPool {
    /// Creates an empty pool.
    #[must_use]
    pub fn new() -> TermPool {
        TermPool::default()
    }

    /// Creates a constant; [`Sort`]'s module defines the encoding of `bits`.
    pub fn constant(&mut self, sort: Sort, bits: u64) -> Term {
        let bits = eval::canonical(sort, bits);
        self.intern(Node::Const { sort, bits })
    }

    /// Creates an `int` constant.
    pub fn int(&mut self, value: i32) -> Term {
        self.constant(Sort::Int, u64::from(value as u32))
    }

    /// Creates a `long` constant.
    pub fn long(&mut self, value: i64) -> Term {
        self.constant(Sort::Long, value as u64)
    }

    /// Creates a truth constant.
    pub fn bool(&mut self, value: bool) -> Term {
        self.constant(Sort::Bool, u64::from(value))
    }

    /// Creates a variable. A number must always have the same range, even after its terms were
    /// discarded.
    pub fn variable(&mut self, number: u32, input: VariableRange) -> Term {
        let before = self.inputs.insert(number, input);
        debug_assert!(before.is_none_or(|before| before == input), "x{number}");
        self.intern(Node::Var { number, input })
    }

    /// Creates a simplified operation on one term.
    pub fn unary(&mut self, operation: Unary, operand: Term) -> Term {
        if !self.is_plain {
            let sort = self.sort(operand);
            let folded = |bits| unbounded::folded_unary(operation, sort, bits);
            if let Some(bits) = self.constant_of(operand).and_then(folded) {
                return self.constant(eval::unary_sort(operation, sort), bits);
            }
            if let Some(simpler) = self.simplified_unary(operation, operand) {
                return simpler;
            }
        }
        self.intern(Node::Unary(operation, operand))
    }

    /// Creates a simplified operation on two terms.
    pub fn binary(&mut self, operation: Binary, left: Term, right: Term) -> Term {
        if !self.is_plain {
            let sort = self.sort(left);
            if let (Some(a), Some(b)) = (self.constant_of(left), self.constant_of(right))
                && let Some(bits) = unbounded::folded_binary(operation, sort, a, b)
            {
                return self.constant(eval::binary_sort(operation, sort), bits);
            }
            if let Some(simpler) = self.simplified_binary(operation, left, right) {
                return simpler;
            }
        }
        self.intern(Node::Binary(operation, left, right))
    }

    /// Creates a simplified `condition ? then : otherwise`.
    pub fn ite(&mut self, condition: Term, then: Term, otherwise: Term) -> Term {
        if !self.is_plain
            && let Some(simpler) = self.simplified_ite(condition, then, otherwise)
        {
            return simpler;
        }
        self.intern(Node::Ite(condition, then, otherwise))
    }

    /// Creates the negation of a condition.
    pub fn not(&mut self, condition: Term) -> Term {
        self.unary(Unary::Not, condition)
    }

    /// Returns the node of a term.
    ///
    /// # Panics
    /// There is no such term.
    #[must_use]
    pub fn node(&self, term: Term) -> &Node {
        &self.entry(term).node
    }

    /// Returns the sort of a term.
    #[must_use]
    pub fn sort(&self, term: Term) -> Sort {
        self.entry(term).sort
    }

    /// Returns the bits of a constant.
    #[must_use]
    pub fn constant_of(&self, term: Term) -> Option<u64> {
        match *self.node(term) {
            Node::Const { bits, .. } => Some(bits),
            _ => None,
        }
    }

    /// Returns the numbers of a term's variables, ascending.
    #[must_use]
    pub fn variables(&self, term: Term) -> &[u32] {
        let (start, end) = self.entry(term).variables;
        &self.variables[start as usize..end as usize]
    }

    /// Returns a digest of the term's structure, the same in every pool and process.
    #[must_use]
    pub fn digest(&self, term: Term) -> u128 {
        self.entry(term).digest
    }

    /// Number of terms.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Memory of the terms in bytes: entries, index, and variable numbers.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of_val(&self.entries[..])
            + self.entries.len() * size_of::<(Node, Term)>()
            + size_of_val(&self.variables[..])
    }

    /// Whether the pool is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Discards all terms after the first `length`.
    pub fn truncate(&mut self, length: usize) {
        let before = self.entries.len();
        if before <= length {
            return;
        }
        if before - length > self.numbers.capacity() / 4 {
            // One pass over the index costs less than a removal for each discarded term.
            self.numbers.retain(|_, term| term.index() < length);
        } else {
            for entry in &self.entries[length..] {
                self.numbers.remove(&entry.node);
            }
        }
        self.entries.truncate(length);
        if cfg!(debug_assertions) {
            for generation in &mut self.generations[length..before] {
                *generation = generation.wrapping_add(1);
            }
        }
        let end = self.entries.last().map_or(0, |entry| entry.variables_end);
        self.variables.truncate(end as usize);
    }

    /// Evaluates a term to bits.
    #[must_use]
    pub fn evaluate(&self, term: Term, assignment: &Assignment) -> u64 {
        eval::evaluate(self, term, assignment)
    }

    /// Displays a term in Java notation, with variables `x0`, `x1`, …; [`Display::with_names`]
    /// replaces these names.
    #[must_use]
    pub fn display(&self, term: Term) -> Display<'_, fn(u32) -> String> {
        Display::new(self, term)
    }

    /// Whether a term contains mathematical integers.
    pub(super) fn is_unbounded(&self, term: Term) -> bool {
        self.entry(term).is_unbounded
    }

    pub(super) fn difficulty(&self, term: Term) -> Difficulty {
        self.entry(term).difficulty
    }

    fn difficulty_of(&self, node: &Node, layers: Layers) -> Difficulty {
        if layers.number > MAX_LAYERS {
            return Difficulty::Hopeless;
        }
        let operands = node.operands().map(|operand| self.difficulty(operand));
        operands.fold(self.own_difficulty(node), Difficulty::max)
    }

    fn layers_of(&self, node: &Node) -> Layers {
        use Binary::{Add, And, Mul, Or, Shl, Shr, Sub, Ushr, Xor};
        let inner = node.operands().map(|operand| self.entry(operand).layers);
        let inner = inner.max().unwrap_or_default();
        let is_bitwise = match *node {
            Node::Binary(operation, a, _) if matches!(self.sort(a), Sort::Int | Sort::Long) => {
                match operation {
                    Add | Sub | Mul => false,
                    And | Or | Xor | Shl | Shr | Ushr => true,
                    _ => return inner,
                }
            }
            _ => return inner,
        };
        let more = inner.number == 0 || inner.is_bitwise != is_bitwise;
        Layers {
            number: inner.number.saturating_add(u8::from(more)),
            is_bitwise,
        }
    }

    fn own_difficulty(&self, node: &Node) -> Difficulty {
        use Unary::{
            DoubleToFloat, DoubleToInt, DoubleToLong, FloatToInt, FloatToLong, IntToDouble,
            IntToFloat, IntToUnbounded, LongToDouble, LongToFloat, LongToUnbounded, Sqrt,
        };
        let is_constant = |term: Term| self.constant_of(term).is_some();
        let is_hard = match *node {
            Node::Unary(
                DoubleToFloat | DoubleToInt | DoubleToLong | FloatToInt | FloatToLong | IntToDouble
                | IntToFloat | LongToDouble | LongToFloat | Sqrt | IntToUnbounded | LongToUnbounded,
                _,
            ) => true,
            Node::Binary(operation, a, b) => {
                use Binary::{Add, Div, Mul, Rem, Sub};
                match (operation, self.sort(a)) {
                    (Rem, Sort::Float | Sort::Double) => return Difficulty::Hopeless,
                    (Add | Sub | Mul | Div, Sort::Float | Sort::Double) => true,
                    (Mul, _) => !is_constant(a) && !is_constant(b),
                    (Div | Rem, sort) => sort == Sort::Long || !is_constant(b),
                    _ => false,
                }
            }
            _ => false,
        };
        if is_hard {
            Difficulty::Hard
        } else {
            Difficulty::Easy
        }
    }

    /// Solution set of a condition that was computed before, or else now.
    pub(super) fn tabulated(
        &self,
        condition: Term,
        compute: impl FnOnce() -> Option<Set>,
    ) -> Option<Set> {
        let digest = self.digest(condition);
        if let Some(known) = self.tabulated.borrow().get(&digest) {
            return known.clone();
        }
        let set = compute();
        let mut tabulated = self.tabulated.borrow_mut();
        if tabulated.len() >= MAX_TABULATED {
            tabulated.clear();
        }
        tabulated.insert(digest, set.clone());
        set
    }

    /// Range of a variable of the pool.
    pub(super) fn input(&self, number: u32) -> Option<VariableRange> {
        self.inputs.get(&number).copied()
    }

    /// Bounds of an integer term for all values of its variables: the least and the greatest value.
    #[must_use]
    pub fn bounds(&self, term: Term) -> (i64, i64) {
        self.entry(term).bounds
    }

    fn bounds_of(&self, node: &Node) -> Bounds {
        match *node {
            Node::Const {
                sort: Sort::Bool,
                bits,
            } => (bits as i64, bits as i64),
            Node::Const { sort, bits } => {
                let value = eval::integer(sort, bits);
                (value, value)
            }
            Node::Var { input, .. } => input.range().unwrap_or(bounds::of_sort(input.sort())),
            Node::Unary(operation, a) => bounds::unary(operation, self.sort(a), self.bounds(a)),
            Node::Binary(operation, a, b) => {
                bounds::binary(operation, self.sort(a), self.bounds(a), self.bounds(b))
            }
            Node::Ite(_, a, b) => {
                let (a, b) = (self.bounds(a), self.bounds(b));
                (a.0.min(b.0), a.1.max(b.1))
            }
        }
    }

    /// Whether a choice in a term depends on another choice.
    #[must_use]
    pub fn has_nested_choice(&self, term: Term) -> bool {
        let mut seen: FxHashSet<(Term, bool)> = FxHashSet::default();
        let mut open = vec![(term, false)];
        while let Some((term, is_condition)) = open.pop() {
            match *self.node(term) {
                Node::Ite(..) if is_condition => return true,
                Node::Binary(Binary::And | Binary::Or, ..)
                    if is_condition && self.sort(term) == Sort::Bool =>
                {
                    return true;
                }
                Node::Ite(condition, a, b) => {
                    let sides = [(condition, true), (a, is_condition), (b, is_condition)];
                    open.extend(sides.into_iter().filter(|&one| seen.insert(one)));
                }
                ref node => {
                    let operands = node.operands().map(|operand| (operand, is_condition));
                    open.extend(operands.filter(|&one| seen.insert(one)));
                }
            }
        }
        false
    }

    /// Number of nodes of a term as a tree, saturated.
    #[must_use]
    pub fn size(&self, term: Term) -> u32 {
        self.entry(term).size
    }

    /// Creates an empty pool without simplification.
    #[cfg(test)]
    pub(super) fn plain() -> TermPool {
        TermPool {
            is_plain: true,
            ..TermPool::default()
        }
    }

    /// Whether a term was made and not discarded; without debug assertions, one that has taken its
    /// place counts, too.
    #[must_use]
    pub fn has(&self, term: Term) -> bool {
        let place = term.index();
        let is_of_generation = |&generation: &u8| generation == term.generation();
        place < self.entries.len() && self.generations.get(place).is_none_or(is_of_generation)
    }

    /// Returns the properties of a term that was not discarded.
    fn entry(&self, term: Term) -> &PoolEntry {
        let place = term.index();
        debug_assert!(
            self.has(term),
            "a term that the pool has forgotten: {term:?}"
        );
        &self.entries[place]
    }

    /// Number of the next term to be created.
    fn next(&mut self) -> Term {
        let place = self.entries.len();
        if cfg!(debug_assertions) && self.generations.len() == place {
            self.generations.push(0);
        }
        Term::at(place, self.generations.get(place).copied().unwrap_or(0))
    }

    fn intern(&mut self, node: Node) -> Term {
        if let Some(&known) = self.numbers.get(&node) {
            return known;
        }
        debug_assert!(
            self.is_well_sorted(&node),
            "operands of another sort: {node:?} of {:?}",
            node.operands()
                .map(|term| self.sort(term))
                .collect::<Vec<_>>()
        );
        let term = self.next();
        let variables = self.variables_of(&node);
        let layers = self.layers_of(&node);
        self.entries.push(PoolEntry {
            node,
            sort: self.sort_of(&node),
            digest: self.digest_of(&node),
            variables,
            variables_end: self.variables.len() as u32,
            size: self.size_of(&node),
            bounds: self.bounds_of(&node),
            difficulty: self.difficulty_of(&node, layers),
            layers,
            is_unbounded: self.sort_of(&node) == Sort::Unbounded
                || node.operands().any(|operand| self.is_unbounded(operand)),
        });
        self.numbers.insert(node, term);
        term
    }

    /// Whether the operands of a node have the sorts that its operation takes.
    fn is_well_sorted(&self, node: &Node) -> bool {
        match *node {
            Node::Const { .. } | Node::Var { .. } => true,
            Node::Unary(operation, operand) => eval::takes(operation, self.sort(operand)),
            Node::Binary(operation, left, right) => {
                eval::takes_both(operation, self.sort(left), self.sort(right))
            }
            Node::Ite(condition, then, otherwise) => {
                self.sort(condition) == Sort::Bool && self.sort(then) == self.sort(otherwise)
            }
        }
    }

    fn sort_of(&self, node: &Node) -> Sort {
        match *node {
            Node::Const { sort, .. } => sort,
            Node::Var { input, .. } => input.sort(),
            Node::Unary(operation, operand) => eval::unary_sort(operation, self.sort(operand)),
            Node::Binary(operation, left, _) => eval::binary_sort(operation, self.sort(left)),
            Node::Ite(_, then, _) => self.sort(then),
        }
    }

    /// Computes a digest; each operand's digest is multiplied separately, in two lanes of 64 bits.
    pub(super) fn digest_of(&self, node: &Node) -> u128 {
        let digest = |term: Term| self.digest(term);
        match *node {
            Node::Const { sort, bits } => combine(&[1, sort as u128, u128::from(bits)]),
            Node::Var { number, input } => combine(&[2, input as u128, u128::from(number)]),
            Node::Unary(operation, operand) => combine(&[3, operation as u128, digest(operand)]),
            Node::Binary(operation, left, right) => {
                combine(&[4, operation as u128, digest(left), digest(right)])
            }
            Node::Ite(condition, then, otherwise) => {
                combine(&[5, digest(condition), digest(then), digest(otherwise)])
            }
        }
    }

    fn size_of(&self, node: &Node) -> u32 {
        let sizes = node.operands().map(|operand| self.size(operand));
        sizes.fold(1, u32::saturating_add)
    }

    /// Returns a range of the variable vector for a node, sharing an operand's if that contains
    /// all.
    fn variables_of(&mut self, node: &Node) -> (u32, u32) {
        if let Node::Var { number, .. } = node {
            return self.place(&[*number]);
        }
        let mut place = (0, 0);
        for operand in node.operands() {
            let other = self.entry(operand).variables;
            if other == place || other.0 == other.1 {
                continue;
            }
            if place.0 == place.1 {
                place = other;
                continue;
            }
            let own = &self.variables[place.0 as usize..place.1 as usize];
            let others = &self.variables[other.0 as usize..other.1 as usize];
            let mut union: Vec<u32> = own.iter().chain(others).copied().collect();
            union.sort_unstable();
            union.dedup();
            if union.len() == others.len() {
                place = other;
            } else if union.len() > own.len() {
                place = self.place(&union);
            }
        }
        place
    }

    fn place(&mut self, variables: &[u32]) -> (u32, u32) {
        let start = self.variables.len() as u32;
        self.variables.extend_from_slice(variables);
        (start, self.variables.len() as u32)
    }
}

/// Combines several digests into one.
pub(super) fn combine(parts: &[u128]) -> u128 {
    let (mut low, mut high) = (0x9E37_79B9_7F4A_7C15_u64, 0xD1B5_4A32_D192_ED03_u64);
    for &part in parts {
        let words = (part as u64, (part >> 64) as u64);
        low = fold(
            low ^ words.0,
            0xA076_1D64_78BD_642F ^ words.1.rotate_left(17),
        );
        high = fold(
            high ^ words.1.rotate_left(32) ^ words.0,
            0xE703_7ED1_A0B4_28DB ^ low,
        );
    }
    u128::from(low) | u128::from(high) << 64
}

fn fold(a: u64, b: u64) -> u64 {
    let product = u128::from(a) * u128::from(b);
    (product as u64 ^ (product >> 64) as u64).wrapping_add(a.rotate_left(29) ^ b)
}
