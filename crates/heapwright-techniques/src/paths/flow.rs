//! Control flow of methods: basic blocks and edges, exceptions included.
//!
//! A block ends where control flow splits: at a branch, at an instruction that may throw, and at
//! every call of a followed method. A path is therefore determined by the blocks that it enters.

use std::collections::VecDeque;

use heapwright_code::{ControlFlow, Operands, Thrown, operands, thrown};
use heapwright_jvm::listing::{Invoke, ListedMember, ListedOperation, Listing};
use heapwright_jvm::{MethodId, Vm};

/// Basic blocks of a method.
#[derive(Clone, Debug)]
pub struct BlockGraph {
    /// The method.
    pub method: MethodId,
    /// Its code.
    pub listing: Listing,
    /// Blocks by number; the first is the entry. Unreachable code is omitted.
    pub blocks: Vec<Block>,
}

/// Sequence of instructions with a single exit point at its end.
#[derive(Clone, Debug)]
pub struct Block {
    /// Instructions, by their numbers in the listing.
    pub instructions: std::ops::Range<usize>,
    /// Outgoing edges.
    pub exits: Vec<BlockExit>,
    /// Call at the end of the block.
    pub call: Option<FollowedCall>,
    /// Handler blocks for whatever the block may throw. This includes exceptions without an edge,
    /// such as a failed class initialisation or a stack overflow.
    pub handlers: Vec<usize>,
    /// Whether the block calls unfollowed code, which may call back.
    pub calls_others: bool,
    /// Whether the block has several predecessors.
    pub is_join: bool,
    /// Whether one of these edges is a back edge: the block is a loop header.
    pub is_loop: bool,
    /// Instructions from the block's start to the nearest return; `None` if only exceptions leave
    /// the method.
    pub to_return: Option<u32>,
}

/// Outgoing edge of a block.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BlockExit {
    /// Condition of the edge.
    pub way: EdgeCondition,
    /// Target of the edge.
    pub to: To,
    /// Whether this is a back edge.
    pub is_back: bool,
}

/// Condition of an edge.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EdgeCondition {
    /// Unconditional.
    Next,
    /// The test of a branch holds.
    Jump,
    /// The switch value is one of these.
    Keys(Vec<i32>),
    /// The switch value is none of these.
    Default(Vec<i32>),
    /// An exception of this class, by internal name; of any class if `None`.
    Thrown(Option<&'static str>),
}

/// Target of an edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum To {
    /// Block of the method.
    Block(usize),
    /// Normal return to the caller.
    Return,
    /// Exception thrown out of the method.
    Throw,
}

/// Call of followed methods.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FollowedCall {
    /// Followed methods among its possible targets.
    pub targets: Vec<MethodId>,
    /// Whether there are other possible targets.
    pub has_others: bool,
    /// Whether the receiver can be null.
    pub may_be_null: bool,
    /// Whether the callee can end by an exception.
    pub may_throw: bool,
}

impl FollowedCall {
    /// Whether the receiver determines the continuation.
    pub fn is_dispatched(&self) -> bool {
        self.may_be_null || self.targets.len() + usize::from(self.has_others) > 1
    }
}

impl BlockExit {
    /// Whether the edge is taken without an exception.
    pub fn is_normal(&self) -> bool {
        !matches!(self.way, EdgeCondition::Thrown(_))
    }
}

/// Analysed instructions of a method, before their division into blocks.
pub(super) struct Outline {
    pub method: MethodId,
    pub listing: Listing,
    control: ControlFlow,
    /// Operand facts of each instruction; `None` for unreachable ones.
    operands: Vec<Option<Operands>>,
    /// Possible targets of each call instruction.
    pub calls: Vec<Option<Invoked>>,
}

/// Possible targets of a call.
#[derive(Clone, Debug, Default)]
pub(super) struct Invoked {
    /// Followed methods.
    pub targets: Vec<MethodId>,
    /// Whether there are other possible targets.
    pub has_others: bool,
    /// Whether the other targets may throw.
    pub others_throw: bool,
}

impl Outline {
    /// Reads a method; `resolve` returns the possible targets of its calls.
    ///
    /// # Errors
    /// The method has no code, or invalid code; the text says which.
    pub fn read(
        vm: &mut Vm,
        method: MethodId,
        resolve: &mut dyn FnMut(&mut Vm, Invoke, &ListedMember) -> Invoked,
    ) -> Result<Outline, String> {
        let listing = vm.listing(method)?;
        let has_receiver = !vm.method(method).is_static();
        let control = ControlFlow::new(&listing);
        let operands = operands(&listing, &control, has_receiver);
        let mut calls = Vec::with_capacity(listing.instructions.len());
        for listed in &listing.instructions {
            calls.push(match &listed.step {
                ListedOperation::Invoke(how, member) => Some(resolve(vm, *how, member)),
                ListedOperation::Dynamic(name, descriptor, _) => Some(Invoked {
                    targets: Vec::new(),
                    has_others: true,
                    // String conversion calls methods of the objects.
                    others_throw: name.starts_with("makeConcat")
                        && descriptor
                            .split(')')
                            .next()
                            .is_some_and(|parameters| parameters.contains(['L', '['])),
                }),
                _ => None,
            });
        }
        Ok(Outline {
            method,
            listing,
            control,
            operands,
            calls,
        })
    }

    /// Classes of the exceptions that an instruction can throw; `None` stands for any class.
    fn thrown(
        &self,
        number: usize,
        throws: &dyn Fn(MethodId) -> bool,
    ) -> Vec<Option<&'static str>> {
        let Some(operands) = self.operands[number] else {
            return Vec::new();
        };
        let step = &self.listing.instructions[number].step;
        let own = thrown(step, operands).into_iter();
        let mut classes: Vec<_> = own.map(|thrown| Some(thrown.class())).collect();
        let is_open = match step {
            ListedOperation::Throw => true,
            ListedOperation::Invoke(..) | ListedOperation::Dynamic(..) => {
                self.called_throws(number, throws)
            }
            _ => false,
        };
        classes.extend(is_open.then_some(None));
        classes
    }

    fn called_throws(&self, number: usize, throws: &dyn Fn(MethodId) -> bool) -> bool {
        self.calls[number].as_ref().is_some_and(|call| {
            call.has_others && call.others_throw
                || call.targets.iter().any(|&target| throws(target))
        })
    }

    /// Targets of an exception that an instruction throws: handlers, and whether it can leave the
    /// method because none is sure to catch it.
    fn caught(&self, vm: &mut Vm, number: usize, class: Option<&str>) -> (Vec<u16>, bool) {
        let at = self.listing.instructions[number].at;
        let mut targets: Vec<u16> = Vec::new();
        for handler in &self.listing.handlers {
            if !(handler.start..handler.end).contains(&at) {
                continue;
            }
            let fit = match (&handler.catch, class) {
                (None, _) => Fit::Surely,
                (Some(caught), _) if caught == "java/lang/Throwable" => Fit::Surely,
                (Some(_), None) => Fit::Maybe,
                (Some(caught), Some(class)) => fit(vm, class, caught),
            };
            if fit != Fit::Never && !targets.contains(&handler.target) {
                targets.push(handler.target);
            }
            if fit == Fit::Surely {
                return (targets, false);
            }
        }
        (targets, true)
    }

    /// Whether an exception can leave the method.
    pub fn lets_out(&self, vm: &mut Vm, throws: &dyn Fn(MethodId) -> bool) -> bool {
        (0..self.listing.instructions.len()).any(|number| {
            let thrown = self.thrown(number, throws);
            let mut classes = thrown.into_iter();
            classes.any(|class| self.caught(vm, number, class).1)
        })
    }

    /// Divides the method into blocks.
    pub fn lay_out(self, vm: &mut Vm, throws: &dyn Fn(MethodId) -> bool) -> BlockGraph {
        let count = self.listing.instructions.len();
        let place = |at: u16| self.listing.place(at);
        let mut starts = vec![false; count + 1];
        starts[0] = true;
        let mut thrown = Vec::with_capacity(count);
        for number in 0..count {
            let step = &self.listing.instructions[number].step;
            let classes = self.thrown(number, throws);
            let jumps = !step.falls_through() || matches!(step, ListedOperation::Branch(..));
            for &to in self.control.next(number).iter().filter(|_| jumps) {
                starts[to] = true;
            }
            let is_followed = self.calls[number]
                .as_ref()
                .is_some_and(|call| !call.targets.is_empty());
            starts[number + 1] |= jumps || is_followed || !classes.is_empty();
            thrown.push(classes);
        }
        for handler in &self.listing.handlers {
            starts[place(handler.target).unwrap_or(count)] = true;
        }
        let reached: Vec<bool> = self.operands.iter().map(Option::is_some).collect();
        let mut block_of = vec![usize::MAX; count + 1];
        let mut ranges: Vec<std::ops::Range<usize>> = Vec::new();
        for number in (0..count).filter(|&number| reached[number]) {
            let follows = number > 0 && reached[number - 1] && !ranges.is_empty();
            if starts[number] || !follows {
                ranges.push(number..number);
            }
            let last = ranges.len() - 1;
            ranges[last].end = number + 1;
            block_of[number] = last;
        }
        let mut blocks = Vec::with_capacity(ranges.len());
        for range in ranges {
            let last = range.end - 1;
            let step = &self.listing.instructions[last].step;
            let to = |at: u16| To::Block(block_of[place(at).unwrap_or(count)]);
            let next = To::Block(block_of[range.end.min(count)]);
            let mut ways = normal_ways(step, next, &to);
            for &class in &thrown[last] {
                let (targets, leaves) = self.caught(vm, last, class);
                let handlers = targets.into_iter().map(to);
                let all = handlers.chain(leaves.then_some(To::Throw));
                ways.extend(all.map(|to| (EdgeCondition::Thrown(class), to)));
            }
            let call = self.calls[last]
                .as_ref()
                .filter(|call| !call.targets.is_empty());
            let call = call.map(|call| FollowedCall {
                targets: call.targets.clone(),
                has_others: call.has_others,
                may_be_null: thrown[last].contains(&Some(Thrown::Null.class())),
                may_throw: thrown[last].contains(&None),
            });
            let calls_others = range.clone().any(|number| {
                let call = self.calls[number].as_ref();
                call.is_some_and(|call| call.has_others)
            });
            let covers = |handler: &&heapwright_jvm::listing::ListedHandler| {
                let mut instructions = self.listing.instructions[range.clone()].iter();
                instructions.any(|listed| (handler.start..handler.end).contains(&listed.at))
            };
            let handlers = self.listing.handlers.iter().filter(covers);
            let handlers = handlers.filter_map(|handler| {
                let block = block_of[place(handler.target)?];
                (block != usize::MAX).then_some(block)
            });
            let handlers: Vec<usize> = handlers.collect();
            let exits = ways.into_iter().map(|(way, to)| BlockExit {
                way,
                to,
                is_back: false,
            });
            blocks.push(Block {
                instructions: range,
                exits: exits.collect(),
                call,
                handlers,
                calls_others,
                is_join: false,
                is_loop: false,
                to_return: None,
            });
        }
        let mut flow = BlockGraph {
            method: self.method,
            listing: self.listing,
            blocks,
        };
        flow.find_joins();
        flow.find_loops();
        flow.measure();
        flow
    }
}

/// Match of an exception's class with a handler.
#[derive(PartialEq, Eq)]
enum Fit {
    Never,
    Maybe,
    Surely,
}

fn fit(vm: &mut Vm, class: &str, caught: &str) -> Fit {
    let (Ok(class), Ok(caught)) = (vm.load_class(class), vm.load_class(caught)) else {
        return Fit::Never;
    };
    if vm.is_subclass(class, caught) {
        Fit::Surely
    } else if vm.is_subclass(caught, class) {
        Fit::Maybe
    } else {
        Fit::Never
    }
}

/// Edges of a block's last instruction without exceptions, one for each target.
fn normal_ways(
    step: &ListedOperation,
    next: To,
    to: &dyn Fn(u16) -> To,
) -> Vec<(EdgeCondition, To)> {
    match step {
        ListedOperation::Branch(_, target) if to(*target) == next => {
            vec![(EdgeCondition::Next, next)]
        }
        ListedOperation::Branch(_, target) => vec![
            (EdgeCondition::Jump, to(*target)),
            (EdgeCondition::Next, next),
        ],
        ListedOperation::Goto(target) => vec![(EdgeCondition::Next, to(*target))],
        ListedOperation::Return(_) => vec![(EdgeCondition::Next, To::Return)],
        ListedOperation::Throw | ListedOperation::Subroutine => Vec::new(),
        ListedOperation::Switch(switch) => {
            let mut ways: Vec<(EdgeCondition, To)> = Vec::new();
            let default = to(switch.default);
            let mut others = Vec::new();
            for &(key, target) in &switch.pairs {
                let place = to(target);
                if place == default {
                    continue;
                }
                others.push(key);
                let known = ways.iter_mut().find(|way| way.1 == place);
                match known {
                    Some((EdgeCondition::Keys(keys), _)) => keys.push(key),
                    _ => ways.push((EdgeCondition::Keys(vec![key]), place)),
                }
            }
            ways.push((EdgeCondition::Default(others), default));
            ways
        }
        _ => vec![(EdgeCondition::Next, next)],
    }
}

impl BlockGraph {
    /// Last instruction of a block.
    pub fn last(&self, block: usize) -> &heapwright_jvm::listing::Listed {
        &self.listing.instructions[self.blocks[block].instructions.end - 1]
    }

    /// Source line of a block's first instruction.
    pub fn line(&self, block: usize) -> Option<u16> {
        self.listing.instructions[self.blocks[block].instructions.start].line
    }

    /// Block with the instruction at a bytecode index.
    pub fn block_at(&self, at: u16) -> Option<usize> {
        let number = self.listing.place(at)?;
        let mut blocks = self.blocks.iter();
        blocks.position(|block| block.instructions.contains(&number))
    }

    /// Bytecode indices of the block starts.
    pub fn places(&self) -> Vec<u16> {
        let first = |block: &Block| self.listing.instructions[block.instructions.start].at;
        self.blocks.iter().map(first).collect()
    }

    fn find_joins(&mut self) {
        let mut ways = vec![0; self.blocks.len()];
        ways[0] = 1;
        for exit in self.blocks.iter().flat_map(|block| &block.exits) {
            if let To::Block(to) = exit.to {
                ways[to] += 1;
            }
        }
        for (block, ways) in self.blocks.iter_mut().zip(ways) {
            block.is_join = ways > 1;
        }
    }

    /// Marks back edges by depth-first search: every cycle has one, even in a loop with several
    /// entries.
    fn find_loops(&mut self) {
        let (mut is_open, mut is_done) = (
            vec![false; self.blocks.len()],
            vec![false; self.blocks.len()],
        );
        let mut stack = vec![(0, 0)];
        is_open[0] = true;
        while let Some((block, exit)) = stack.pop() {
            let Some(way) = self.blocks[block].exits.get(exit) else {
                is_open[block] = false;
                is_done[block] = true;
                continue;
            };
            stack.push((block, exit + 1));
            let To::Block(to) = way.to else { continue };
            if is_open[to] {
                self.blocks[block].exits[exit].is_back = true;
                self.blocks[to].is_loop = true;
                self.blocks[to].is_join = true;
            } else if !is_done[to] {
                is_open[to] = true;
                stack.push((to, 0));
            }
        }
    }

    fn measure(&mut self) {
        let mut queue: VecDeque<usize> = (0..self.blocks.len()).collect();
        while let Some(block) = queue.pop_front() {
            let this = &self.blocks[block];
            let length = this.instructions.len() as u32;
            let ends = this.exits.iter().filter(|exit| exit.is_normal());
            let nearest = ends.filter_map(|exit| match exit.to {
                To::Return => Some(0),
                To::Throw => None,
                To::Block(to) => self.blocks[to].to_return,
            });
            let now = nearest.min().map(|rest| rest + length);
            if now != this.to_return {
                self.blocks[block].to_return = now;
                queue.extend(0..self.blocks.len());
            }
        }
    }
}
