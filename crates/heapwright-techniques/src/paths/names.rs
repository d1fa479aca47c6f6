//! Names of predicates: the method's name, or its name with the kind and the line of a place.

use std::collections::{HashMap, HashSet};

use heapwright_jvm::descriptor::{split_method, to_java};
use heapwright_jvm::listing::ListedOperation;
use heapwright_jvm::{MethodId, Operation, Vm};

use super::flow::BlockGraph;
use super::rules::PredicatePoint;
use super::values::simple;

/// Generator of unique names.
pub(super) struct NameGenerator {
    /// Names of the methods.
    methods: HashMap<MethodId, String>,
    taken: HashSet<String>,
}

impl NameGenerator {
    /// Names methods: the plain name if unique, otherwise with class and parameters as necessary.
    pub fn new(vm: &Vm, flows: &[BlockGraph]) -> NameGenerator {
        let forms: Vec<[String; 3]> = flows.iter().map(|flow| forms(vm, flow.method)).collect();
        let mut uses: [HashMap<&str, usize>; 3] = Default::default();
        for own in &forms {
            for (uses, name) in uses.iter_mut().zip(own) {
                *uses.entry(name).or_default() += 1;
            }
        }
        let names = forms.iter().map(|own| {
            let is_only = |form: &usize| uses[*form][own[*form].as_str()] == 1;
            own[(0..3).find(is_only).unwrap_or(2)].clone()
        });
        let names: Vec<String> = names.collect();
        let methods = flows.iter().map(|flow| flow.method);
        NameGenerator {
            taken: names.iter().cloned().collect(),
            methods: methods.zip(names).collect(),
        }
    }

    /// Name of the predicate of a place in a method.
    pub fn of_place(&mut self, flow: &BlockGraph, place: PredicatePoint) -> String {
        let method = self.methods.get(&flow.method).cloned().unwrap_or_default();
        let (block, what) = match place {
            PredicatePoint::Enter => return method,
            PredicatePoint::Start(block) if flow.blocks[block].is_loop => (block, "loop"),
            PredicatePoint::Start(block) => (block, "cont"),
            PredicatePoint::Dispatch(block) => (block, "call"),
            PredicatePoint::Check(block) => (block, "check"),
            PredicatePoint::Split(block) => (block, what_splits(&flow.last(block).step)),
        };
        let instruction = match place {
            PredicatePoint::Enter | PredicatePoint::Start(_) => {
                &flow.listing.instructions[flow.blocks[block].instructions.start]
            }
            _ => flow.last(block),
        };
        let name = match instruction.line {
            Some(line) => format!("{what}_{line}"),
            None => format!("{what}_at{}", instruction.at),
        };
        let with_method = format!("{method}.{name}");
        let candidates = [name, with_method.clone()].into_iter();
        let numbered = (2..).map(|number| format!("{with_method}_{number}"));
        let mut candidates = candidates.chain(numbered);
        let free = candidates.find(|name| !self.taken.contains(name));
        let name = free.unwrap_or(with_method);
        self.taken.insert(name.clone());
        name
    }
}

fn what_splits(step: &ListedOperation) -> &'static str {
    match step {
        ListedOperation::Branch(..) => "if",
        ListedOperation::Switch(_) => "switch",
        ListedOperation::Operate(Operation::Rem, _) => "rem",
        ListedOperation::Operate(..) => "div",
        ListedOperation::GetField(..) | ListedOperation::ArrayLoad(_) => "get",
        ListedOperation::PutField(..) | ListedOperation::ArrayStore(_) => "set",
        ListedOperation::ArrayLength => "length",
        ListedOperation::Monitor(_) => "lock",
        ListedOperation::Throw => "throw",
        ListedOperation::CheckCast(_) => "cast",
        ListedOperation::NewArray(..) => "new",
        ListedOperation::Invoke(..) | ListedOperation::Dynamic(..) => "check",
        _ => "step",
    }
}

/// Forms of a method's name: plain, with its class, with class and parameters.
fn forms(vm: &Vm, method: MethodId) -> [String; 3] {
    let this = vm.method(method);
    let class = vm.binary_name(this.class);
    let class = simple(&class);
    let plain = match vm.text(this.name) {
        "<init>" => "new".to_owned(),
        "<clinit>" => "static".to_owned(),
        name => name.to_owned(),
    };
    let (parameters, _) = split_method(vm.text(this.descriptor)).unwrap_or_default();
    let types = parameters.iter().map(|one| {
        let name = to_java(one);
        format!("_{}", simple(&name).replace("[]", "s"))
    });
    let types: String = types.collect();
    let with_class = format!("{class}.{plain}");
    let all = format!("{with_class}{types}");
    [plain, with_class, all]
}
