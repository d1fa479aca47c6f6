//! Random classes, as Java and as a model, and all heaps of their objects.

use std::collections::BTreeMap;

use heapwright_suite::{Body, Structure, Value};

/// Field of an object.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Member {
    Int,
    Flag,
    /// Reference to an object of the class or of a subclass.
    Object(usize),
    /// Array of such references.
    Objects(usize),
    /// Array of integers.
    Ints,
    /// Reference of an inner class's object to its enclosing object, which is of this class.
    Around(usize),
}

struct Class {
    parent: Option<usize>,
    /// Its own fields, each with whether the invariant reads it.
    members: Vec<(Member, bool)>,
}

/// Classes that refer to each other, the first the root's, and an invariant.
pub struct Shape {
    classes: Vec<Class>,
    /// The invariant holds unless this divides the hash; 0 if it always holds.
    divisor: i32,
}

/// Sequence of random numbers.
pub struct Random(pub u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound
    }
}

impl Shape {
    /// Creates classes from their superclasses and fields; the invariant reads all fields and
    /// always holds.
    pub fn of(classes: &[(Option<usize>, &[Member])]) -> Shape {
        let classes = classes.iter().map(|&(parent, members)| Class {
            parent,
            members: members.iter().map(|&member| (member, true)).collect(),
        });
        Shape {
            classes: classes.collect(),
            divisor: 0,
        }
    }

    pub fn random(random: &mut Random) -> Shape {
        let count = 1 + random.below(3);
        let mut classes: Vec<Class> = Vec::new();
        for number in 0..count {
            let is_inner = |class: &Class| matches!(class.members[0].0, Member::Around(_));
            let parent = (number > 0 && random.below(3) == 0).then(|| random.below(number));
            let parent = parent.filter(|&parent| !is_inner(&classes[parent]));
            let mut members = Vec::new();
            if number > 0 && parent.is_none() && !is_inner(&classes[0]) && random.below(4) == 0 {
                members.push((Member::Around(0), true));
            }
            for _ in 0..1 + random.below(2) {
                let member = match random.below(8) {
                    0 => Member::Int,
                    1 => Member::Flag,
                    2 => Member::Objects(random.below(count)),
                    3 => Member::Ints,
                    _ => Member::Object(random.below(count)),
                };
                members.push((member, random.below(5) > 0));
            }
            classes.push(Class { parent, members });
        }
        Shape {
            classes,
            divisor: random.below(4) as i32,
        }
    }

    /// Returns the binary name of a class without its package.
    pub fn name(&self, class: usize) -> String {
        match self.around(class) {
            Some(outer) => format!("C{outer}$C{class}"),
            None => format!("C{class}"),
        }
    }

    fn around(&self, class: usize) -> Option<usize> {
        let mut members = self.classes[class].members.iter();
        members.find_map(|&(member, _)| match member {
            Member::Around(outer) => Some(outer),
            _ => None,
        })
    }

    /// Returns all fields of a class's objects with their names, inherited ones first.
    fn members(&self, class: usize) -> Vec<(String, Member, bool)> {
        let this = &self.classes[class];
        let mut all = this
            .parent
            .map_or(Vec::new(), |parent| self.members(parent));
        for (place, &(member, is_read)) in this.members.iter().enumerate() {
            let name = match member {
                Member::Around(_) => "this$0".to_owned(),
                _ => format!("f{class}_{place}"),
            };
            all.push((name, member, is_read));
        }
        all
    }

    fn is_subclass(&self, class: usize, above: usize) -> bool {
        let parent = || self.classes[class].parent;
        class == above || parent().is_some_and(|parent| self.is_subclass(parent, above))
    }

    /// Returns the classes of objects that a reference may hold.
    fn targets(&self, above: usize) -> Vec<usize> {
        let all = 0..self.classes.len();
        all.filter(|&class| self.is_subclass(class, above))
            .collect()
    }

    /// Returns the source of the classes, in a package of their own.
    pub fn java(&self, package: usize) -> String {
        let mut text = format!("package s{package};\n");
        for class in 0..self.classes.len() {
            if self.around(class).is_none() {
                text.push_str(&self.java_class(class));
            }
        }
        text
    }

    fn java_class(&self, class: usize) -> String {
        let parent = self.classes[class].parent;
        let parent = parent.map_or(String::new(), |parent| format!(" extends C{parent}"));
        let mut text = format!("class C{class}{parent} {{\n");
        for (place, (member, _)) in self.classes[class].members.iter().enumerate() {
            let kind = match member {
                Member::Int => "int".to_owned(),
                Member::Flag => "boolean".to_owned(),
                Member::Ints => "int[]".to_owned(),
                Member::Object(target) => self.name(*target).replace('$', "."),
                Member::Objects(target) => self.name(*target).replace('$', ".") + "[]",
                Member::Around(_) => continue,
            };
            text.push_str(&format!("    {kind} f{class}_{place};\n"));
        }
        text.push_str(&format!(
            "    int code(java.util.ArrayList<Object> seen) {{\n\
             \x20       for (int i = 0; i < seen.size(); i++) if (seen.get(i) == this) return i + 7;\n\
             \x20       seen.add(this);\n        int code = {class} + 31;\n"
        ));
        for (name, member, is_read) in self.members(class) {
            if is_read {
                text.push_str(&java_read(&name, member));
            }
        }
        text.push_str("        return code;\n    }\n");
        if class == 0 {
            let holds = match self.divisor {
                0 => "code(new java.util.ArrayList<>()) != 1 || true".to_owned(),
                divisor => format!("code(new java.util.ArrayList<>()) % {divisor} != 0"),
            };
            text.push_str(&format!("    boolean repOK() {{ return {holds}; }}\n"));
        }
        for inner in 0..self.classes.len() {
            if self.around(inner) == Some(class) {
                text.push_str(&self.java_class(inner));
            }
        }
        text + "}\n"
    }

    /// Whether the invariant holds for a heap.
    pub fn holds(&self, heap: &Graph) -> bool {
        self.divisor == 0 || self.code(heap, 0, &mut Vec::new()) % self.divisor != 0
    }

    fn code(&self, heap: &Graph, object: usize, seen: &mut Vec<usize>) -> i32 {
        if let Some(place) = seen.iter().position(|&known| known == object) {
            return place as i32 + 7;
        }
        seen.push(object);
        let (name, fields) = &heap.objects[object];
        let class = (0..self.classes.len()).find(|&class| self.name(class) == *name);
        let class = class.unwrap_or_default();
        let mut code = class as i32 + 31;
        let mut add = |value: i32| code = code.wrapping_mul(31).wrapping_add(value);
        for (name, _, is_read) in self.members(class) {
            if !is_read {
                continue;
            }
            match &fields[&name] {
                Slot::Number(number) => add(*number),
                Slot::Null => add(1),
                Slot::Object(target) => add(self.code(heap, *target, seen)),
                Slot::Array(elements) => {
                    add(elements.len() as i32);
                    for element in elements {
                        add(match element {
                            Slot::Number(number) => *number,
                            Slot::Object(target) => self.code(heap, *target, seen),
                            _ => 1,
                        });
                    }
                }
            }
        }
        code
    }
}

/// Returns the invariant's code for a field.
fn java_read(name: &str, member: Member) -> String {
    let add = |what: String| format!("        code = code * 31 + {what};\n");
    let reference = |what: &str| format!("({what} == null ? 1 : {what}.code(seen))");
    let array = |element: String| {
        let length = add(format!("{name}.length"));
        format!(
            "{length}        for (int i = 0; i < {name}.length; i++)\n    {}",
            add(element)
        )
    };
    match member {
        Member::Int => add(name.to_owned()),
        Member::Flag => add(format!("({name} ? 1 : 0)")),
        Member::Object(_) => add(reference(name)),
        Member::Around(outer) => add(format!("C{outer}.this.code(seen)")),
        Member::Ints => array(format!("{name}[i]")),
        Member::Objects(_) => array(reference(&format!("{name}[i]"))),
    }
}

/// Content of a field or element.
#[derive(Clone, Debug, PartialEq)]
pub enum Slot {
    Null,
    Number(i32),
    Object(usize),
    Array(Vec<Slot>),
}

/// Objects, each with its class and its fields by name; the first is the root.
#[derive(Clone, Debug, Default)]
pub struct Graph {
    objects: Vec<(String, BTreeMap<String, Slot>)>,
}

impl Graph {
    /// Returns a text that isomorphic heaps share: the reachable objects, numbered in order of
    /// discovery.
    pub fn canonical(&self) -> String {
        let mut order = vec![0];
        let mut text = String::new();
        let mut next = 0;
        while let Some(&object) = order.get(next) {
            next += 1;
            let (class, fields) = &self.objects[object];
            text.push_str(class);
            for (name, slot) in fields {
                text.push_str(&format!(" {name}={}", slot_text(slot, &mut order)));
            }
            text.push('\n');
        }
        text
    }
}

fn slot_text(slot: &Slot, order: &mut Vec<usize>) -> String {
    match slot {
        Slot::Null => "null".to_owned(),
        Slot::Number(number) => number.to_string(),
        Slot::Object(target) => {
            let known = order.iter().position(|known| known == target);
            let place = known.unwrap_or(order.len());
            if known.is_none() {
                order.push(*target);
            }
            format!("@{place}")
        }
        Slot::Array(elements) => {
            let texts: Vec<String> = elements.iter().map(|slot| slot_text(slot, order)).collect();
            format!("[{}]", texts.join(" "))
        }
    }
}

/// Converts a structure that a search found to a graph.
pub fn graph(structure: &Structure) -> Graph {
    let slot = |value: Value| match value {
        Value::Ref(target) => match &structure.objects[target].body {
            Body::Array(elements) => {
                Slot::Array(elements.iter().map(|&value| plain(value)).collect())
            }
            _ => Slot::Object(target),
        },
        value => plain(value),
    };
    let objects = structure.objects.iter().map(|object| {
        let fields = match &object.body {
            Body::Fields(fields) => fields.as_slice(),
            _ => &[],
        };
        let fields = fields
            .iter()
            .map(|field| (field.sig.name.clone(), slot(field.value)));
        let name = object.class.name.split('.').next_back().unwrap_or_default();
        (name.to_owned(), fields.collect())
    });
    Graph {
        objects: objects.collect(),
    }
}

fn plain(value: Value) -> Slot {
    match value {
        Value::Ref(target) => Slot::Object(target),
        Value::Int(number) => Slot::Number(number),
        Value::Boolean(flag) => Slot::Number(flag.into()),
        _ => Slot::Null,
    }
}

/// All heaps of a shape within a scope, with objects distinguished by name.
pub struct Heaps<'a> {
    shape: &'a Shape,
    scope: usize,
    most: usize,
    pub all: Vec<Graph>,
    /// Class of each object.
    classes: Vec<usize>,
}

impl Heaps<'_> {
    /// Enumerates them; `None` if there are more than `most`.
    pub fn of(shape: &Shape, scope: u32, most: usize) -> Option<Vec<Graph>> {
        let mut heaps = Heaps {
            shape,
            scope: scope as usize,
            most,
            all: Vec::new(),
            classes: Vec::new(),
        };
        for class in 0..shape.classes.len() {
            let count = if heaps.is_single(class) {
                1
            } else {
                scope as usize
            };
            heaps.classes.extend(vec![class; count]);
        }
        let objects = heaps
            .classes
            .iter()
            .map(|&class| (shape.name(class), BTreeMap::new()));
        let start = Graph {
            objects: objects.collect(),
        };
        heaps.extend(start)?;
        Some(heaps.all)
    }

    /// Whether the class has a single object: only its inner objects refer to it.
    fn is_single(&self, class: usize) -> bool {
        let all = self.shape.classes.iter().flat_map(|class| &class.members);
        let mut targets = all.filter_map(|&(member, _)| match member {
            Member::Object(target) | Member::Objects(target) => Some(target),
            _ => None,
        });
        !targets.any(|target| self.shape.is_subclass(class, target))
    }

    /// Sets the first open field reachable from the root to each of its values.
    fn extend(&mut self, heap: Graph) -> Option<()> {
        let Some((object, name, member)) = self.open_field(&heap) else {
            self.all.push(heap);
            return (self.all.len() <= self.most).then_some(());
        };
        for value in self.values(member) {
            let mut next = heap.clone();
            next.objects[object].1.insert(name.clone(), value);
            self.extend(next)?;
        }
        Some(())
    }

    fn open_field(&self, heap: &Graph) -> Option<(usize, String, Member)> {
        let mut order = vec![0];
        let mut next = 0;
        while let Some(&object) = order.get(next) {
            next += 1;
            for (name, member, _) in self.shape.members(self.classes[object]) {
                match heap.objects[object].1.get(&name) {
                    None => return Some((object, name, member)),
                    Some(slot) => {
                        slot_text(slot, &mut order);
                    }
                }
            }
        }
        None
    }

    fn values(&self, member: Member) -> Vec<Slot> {
        let numbers = |below: usize| (0..below as i32).map(Slot::Number).collect();
        let objects = |above: usize| {
            let targets = self.shape.targets(above);
            let all = 0..self.classes.len();
            all.filter(move |&object| targets.contains(&self.classes[object]))
                .map(Slot::Object)
        };
        let or_null = |above: usize| std::iter::once(Slot::Null).chain(objects(above)).collect();
        match member {
            Member::Int => numbers(self.scope),
            Member::Flag => numbers(2),
            Member::Object(above) => or_null(above),
            Member::Objects(above) => self.arrays(or_null(above)),
            Member::Ints => self.arrays(numbers(self.scope)),
            // The root's class represents its superclasses.
            Member::Around(outer) if self.shape.is_subclass(0, outer) => objects(0)
                .filter(|slot| matches!(slot, Slot::Object(object) if self.classes[*object] == 0))
                .collect(),
            Member::Around(outer) => objects(outer).collect(),
        }
    }

    /// Returns arrays up to the length of the scope.
    fn arrays(&self, elements: Vec<Slot>) -> Vec<Slot> {
        let mut longest: Vec<Vec<Slot>> = vec![Vec::new()];
        let mut all = longest.clone();
        for _ in 0..self.scope {
            let longer = longest.iter().flat_map(|array| {
                elements
                    .iter()
                    .map(move |element| [array, std::slice::from_ref(element)].concat())
            });
            longest = longer.collect();
            all.extend_from_slice(&longest);
        }
        all.into_iter().map(Slot::Array).collect()
    }
}
