//! Verification by data flow (JVMS §4.10.2) of code from the class path, before its translation.
//!
//! Invariant: in verified code every instruction has operands of the types it needs. No int
//! becomes a reference, no array is read with another element size, and every accessed field
//! exists in its object. Stack maps are ignored, so class files with and without them are treated
//! alike. One check is missing: the use of `protected` members through the right class (JVMS
//! §4.10.1.8), because access is never checked.
//!
//! Straight-line code is analysed with one current frame; frames are stored only at join points.
//! A subroutine is analysed once for each chain of calls that leads to it. Return addresses are
//! therefore exact, and the variables of its callers stay separate.

mod call;
mod call_site;
mod frame;
mod step;
mod types;

use std::collections::BTreeSet;
use std::ops::RangeInclusive;
use std::rc::Rc;

use rustc_hash::{FxHashMap, FxHashSet};

use self::frame::TypeFrame;
use self::types::{Signature, Types, VerificationType};
use crate::bytecode::{self, Decoded, op};
use crate::class::{ClassId, LoadedFile, MethodId};
use crate::classfile::CodeInfo;
use crate::descriptor::Kind;
use crate::name::Sym;
use crate::translate;
use crate::vm::{Exit, Fault, Vm};

/// Maximum number of words in all stored frames of a method.
const MOST_KEPT_WORDS: usize = 8 << 20;
/// Maximum number of instructions analysed and words joined for a method.
const MOST_WORK: u64 = 100_000_000;
/// Maximum number of chains of subroutine calls in a method.
const MOST_CONTEXTS: usize = 4096;

/// Marks a missing place or instruction.
const NONE: u32 = u32::MAX;

/// Failure of the verification.
enum VerificationFailure {
    /// The code could use a value as one of another type.
    Wrong(String),
    /// A class that the check needs cannot be loaded.
    Fault(Fault),
}

impl From<String> for VerificationFailure {
    fn from(what: String) -> VerificationFailure {
        VerificationFailure::Wrong(what)
    }
}

impl From<Fault> for VerificationFailure {
    fn from(fault: Fault) -> VerificationFailure {
        VerificationFailure::Fault(fault)
    }
}

fn wrong<T>(what: impl Into<String>) -> Result<T, VerificationFailure> {
    Err(VerificationFailure::Wrong(what.into()))
}

/// Refuses code that could use a value as one of another type.
///
/// # Errors
/// The message names the class file, the method, the instruction and the failed check.
pub(crate) fn verify(
    vm: &mut Vm,
    method: MethodId,
    file: &LoadedFile,
    info: &CodeInfo,
    decoded: &Decoded,
) -> Result<(), Fault> {
    let mut pass = Pass::new(vm, method, file, info, decoded);
    match pass.run() {
        Ok(()) => Ok(()),
        Err(VerificationFailure::Fault(fault)) => Err(fault),
        Err(VerificationFailure::Wrong(what)) => {
            let at = decoded.insns.get(pass.at).map_or(0, |insn| insn.at);
            Err(Fault::invalid(format!(
                "{}: {}: {what}, at {at}",
                file.source,
                vm.method_text(method)
            )))
        }
    }
}

/// Kinds of the words of a frame before the instruction at the last of these indices of a method's
/// bytecode, the locals first; that of a word without a usable value is `None`. They follow from the
/// nearest instruction before it that is the target of a branch and at one of the indices. Of the
/// stack only words count that are the same since then, as code may leave out what pushes and pops
/// the others. `None` if there is no such instruction, or the method cannot be verified.
pub(crate) fn frame_kinds(
    vm: &mut Vm,
    method: MethodId,
    indices: RangeInclusive<u16>,
) -> Option<Vec<Option<Kind>>> {
    let file = vm.class(vm.method(method).class).file.clone()?;
    let info = vm.method(method).code_info(&file)?;
    let decoded = bytecode::decode(info.code.of(&file.bytes)).ok()?;
    let mut pass = Pass::new(vm, method, &file, info, &decoded);
    pass.run().ok()?;
    let places = pass.places.first()?;
    let mut insns = decoded.insns.iter().enumerate().rev();
    let (start, place) = insns.find_map(|(number, insn)| {
        let is_within = indices.contains(&insn.at);
        let place = is_within.then(|| places.get(*pass.meets.get(number)? as usize))??;
        (*place != NONE).then_some((number, *place))
    })?;
    pass.context = 0;
    pass.take_place(place);
    let mut depth = pass.frame.stack.len();
    for (number, insn) in decoded.insns.iter().enumerate().skip(start) {
        if insn.at >= *indices.end() {
            break;
        }
        pass.at = number;
        if !pass.step(insn).ok()? {
            return None;
        }
        depth = depth.min(pass.frame.stack.len());
    }
    let kind = |word: &VerificationType| match word {
        VerificationType::Int => Some(Kind::Int),
        VerificationType::Float => Some(Kind::Float),
        VerificationType::Long => Some(Kind::Long),
        VerificationType::Double => Some(Kind::Double),
        word if word.is_reference() => Some(Kind::Reference),
        _ => None,
    };
    let (locals, most) = (&pass.frame.locals, usize::from(info.max_locals));
    let mut kinds: Vec<Option<Kind>> = locals.iter().map(kind).collect();
    kinds.resize(most, None);
    kinds.extend(pass.frame.stack.iter().take(depth).map(kind));
    Some(kinds)
}

impl Vm {
    /// Verifies the code of all methods of a class of any loader.
    ///
    /// # Errors
    /// A method fails; the text describes the first failure.
    pub fn verify_class(&mut self, class: ClassId) -> Result<(), String> {
        let Some(file) = self.class(class).file.clone() else {
            return Ok(());
        };
        for method in self.class(class).methods.clone() {
            let Some(info) = self.method(method).code_info(&file) else {
                continue;
            };
            let name =
                |what: String| format!("{}: {}: {what}", file.source, self.method_text(method));
            let decoded = bytecode::decode(info.code.of(&file.bytes)).map_err(name)?;
            translate::stack_depths(&file, info, &decoded).map_err(name)?;
            verify(self, method, &file, info, &decoded).map_err(|fault| match fault {
                Fault::Stop(exit) => match *exit {
                    Exit::InvalidClass(what) | Exit::Unsupported(what) => what,
                    exit => self.exit_text(&exit),
                },
                fault => format!("{}: {}", self.method_text(method), self.fault_text(&fault)),
            })?;
        }
        Ok(())
    }
}

/// Exception handler with its class.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Catcher {
    target: u32,
    class: Sym,
}

/// Stored frame of a join point.
#[derive(Clone, Copy)]
struct JoinFrame {
    /// Index of its locals, followed by its stack, in `words`.
    start: u32,
    depth: u16,
    constructed: bool,
}

/// Chain of subroutine calls: entry of the subroutine and index of the `jsr`, outermost first.
type Chain = Vec<(u16, u16)>;

struct Pass<'a> {
    types: Types<'a>,
    file: &'a LoadedFile,
    info: &'a CodeInfo,
    decoded: &'a Decoded,
    method: MethodId,
    /// Class of the method.
    own: Sym,
    own_id: ClassId,
    is_constructor: bool,
    result: Option<VerificationType>,
    /// Current instruction.
    at: usize,
    context: u32,
    frame: TypeFrame,
    /// For each instruction its number among the join points, or `NONE`.
    meets: Vec<u32>,
    meeting_points: usize,
    /// For each instruction the number of the set of handlers that cover it; 0 is the empty set.
    regions: Vec<u32>,
    handlers: Vec<Vec<Catcher>>,
    chains: Vec<Chain>,
    chain_index: FxHashMap<Chain, u32>,
    /// For each context and join point the number of its stored frame, or `NONE`.
    places: Vec<Vec<u32>>,
    kept: Vec<JoinFrame>,
    words: Vec<VerificationType>,
    /// Worklist: contexts and instructions whose frames have changed since they were analysed.
    work: BTreeSet<(u32, u32)>,
    spent: u64,
    /// Stack depth at each `jsr`.
    call_depths: FxHashMap<u16, usize>,
    signatures: FxHashMap<i32, Rc<Signature>>,
    /// Pool entries of call sites that were checked.
    checked_sites: FxHashSet<i32>,
}

impl<'a> Pass<'a> {
    fn new(
        vm: &'a mut Vm,
        method: MethodId,
        file: &'a LoadedFile,
        info: &'a CodeInfo,
        decoded: &'a Decoded,
    ) -> Pass<'a> {
        let own_id = vm.method(method).class;
        let own = vm.class(own_id).name;
        let is_constructor = vm.text(vm.method(method).name) == "<init>";
        Pass {
            types: Types::new(vm, own_id),
            file,
            info,
            decoded,
            method,
            own,
            own_id,
            is_constructor,
            result: None,
            at: 0,
            context: 0,
            frame: TypeFrame::default(),
            meets: vec![NONE; decoded.insns.len()],
            meeting_points: 0,
            regions: Vec::new(),
            handlers: vec![Vec::new()],
            chains: vec![Vec::new()],
            chain_index: FxHashMap::default(),
            places: Vec::new(),
            kept: Vec::new(),
            words: Vec::new(),
            work: BTreeSet::new(),
            spent: 0,
            call_depths: FxHashMap::default(),
            signatures: FxHashMap::default(),
            checked_sites: FxHashSet::default(),
        }
    }

    fn run(&mut self) -> Result<(), VerificationFailure> {
        self.find_meeting_points();
        self.find_handlers()?;
        self.places.push(vec![NONE; self.meeting_points]);
        self.enter()?;
        self.walk(true)?;
        while let Some((context, insn)) = self.work.pop_first() {
            self.context = context;
            self.at = insn as usize;
            let place = self.places[context as usize][self.meets[insn as usize] as usize];
            self.take_place(place);
            self.walk(false)?;
        }
        Ok(())
    }

    /// Sets the initial frame of the method (JVMS §4.10.2.2).
    fn enter(&mut self) -> Result<(), VerificationFailure> {
        let vm = &self.types.vm;
        let this = vm.method(self.method);
        let (is_static, name) = (this.is_static(), vm.text(this.name).to_owned());
        let descriptor = vm.text(this.descriptor).to_owned();
        let signature = self.types.signature(&descriptor)?;
        match name.as_str() {
            "<init>" if is_static || signature.result.is_some() => {
                return wrong("a constructor that is static or returns a value");
            }
            "<clinit>" if !is_static || descriptor != "()V" => {
                return wrong("a class initialiser that takes or returns a value");
            }
            _ => {}
        }
        let locals = &mut self.frame.locals;
        let is_object = self.own == self.types.object;
        if !is_static {
            locals.push(if self.is_constructor && !is_object {
                VerificationType::This
            } else {
                VerificationType::Class(self.own)
            });
        }
        locals.extend(signature.parameters);
        let most = usize::from(self.info.max_locals);
        if locals.len() > most {
            return wrong("its arguments do not fit its locals");
        }
        locals.resize(most, VerificationType::Top);
        self.frame.max_stack = usize::from(self.info.max_stack);
        self.frame.constructed = !self.is_constructor || is_object;
        self.result = signature.result;
        Ok(())
    }

    fn meet_at(&mut self, insn: usize) {
        if let Some(meets) = self.meets.get_mut(insn)
            && *meets == NONE
        {
            *meets = self.meeting_points as u32;
            self.meeting_points += 1;
        }
    }

    fn find_meeting_points(&mut self) {
        let decoded = self.decoded;
        for (index, insn) in decoded.insns.iter().enumerate() {
            match insn.op {
                op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL => {
                    self.meet_at(decoded.starts[insn.a as usize] as usize);
                    if insn.op == op::JSR {
                        self.meet_at(index + 1);
                    }
                }
                op::TABLESWITCH | op::LOOKUPSWITCH => {
                    let switch = &decoded.switches[insn.b as usize];
                    for target in switch
                        .pairs
                        .iter()
                        .map(|pair| pair.1)
                        .chain([switch.default])
                    {
                        self.meet_at(decoded.starts[target as usize] as usize);
                    }
                }
                _ => {}
            }
        }
        for handler in &self.info.handlers {
            if let Some(target) = decoded.insn_at(i32::from(handler.handler)) {
                self.meet_at(target);
            }
        }
    }

    /// Resolves the classes of handlers, and the instructions that each set of handlers covers.
    fn find_handlers(&mut self) -> Result<(), VerificationFailure> {
        self.regions = vec![0; self.decoded.insns.len()];
        if self.info.handlers.is_empty() {
            return Ok(());
        }
        let mut catchers: Vec<(usize, usize, Catcher)> = Vec::new();
        for handler in &self.info.handlers {
            let place = |at: u16| {
                self.decoded
                    .insn_at(i32::from(at))
                    .unwrap_or(self.decoded.insns.len())
            };
            let target = place(handler.handler);
            let Some(class) = self.caught(handler.catch)? else {
                continue;
            };
            let catcher = Catcher {
                target: target as u32,
                class,
            };
            catchers.push((place(handler.start), place(handler.end), catcher));
        }
        // Between two bounds of ranges the set of handlers is constant.
        let mut borders: Vec<usize> = catchers
            .iter()
            .flat_map(|&(start, end, _)| [start, end])
            .collect();
        borders.sort_unstable();
        borders.dedup();
        for pair in borders.windows(2) {
            let mut set: Vec<Catcher> = Vec::new();
            for &(start, end, catcher) in &catchers {
                if start <= pair[0] && pair[1] <= end && !set.contains(&catcher) {
                    set.push(catcher);
                }
            }
            self.spend(catchers.len() + set.len() * set.len())?;
            if !set.is_empty() {
                self.regions[pair[0]..pair[1]].fill(self.handlers.len() as u32);
                self.handlers.push(set);
            }
        }
        Ok(())
    }

    /// Class that a handler catches; `None` if it does not exist, so that the handler never runs.
    fn caught(&mut self, index: u16) -> Result<Option<Sym>, VerificationFailure> {
        let throwable = self.types.vm.names.intern("java/lang/Throwable");
        if index == 0 {
            return Ok(Some(throwable));
        }
        let name = self.class_constant(i32::from(index))?;
        match self.types.vm.load_for(self.own_id, name) {
            Err(Fault::Raise(..) | Fault::Throw(_)) => return Ok(None),
            Err(fault) => return Err(fault.into()),
            Ok(class) => {
                let target = self
                    .types
                    .vm
                    .load(throwable)
                    .map_err(|error| self.types.vm.load_fault(error))?;
                if !self.types.vm.is_subclass(class, target) {
                    return wrong(format!(
                        "a handler for {}, which is no Throwable",
                        self.types.java_name(name)
                    ));
                }
            }
        }
        Ok(Some(name))
    }

    fn spend(&mut self, work: usize) -> Result<(), VerificationFailure> {
        self.spent += work as u64;
        if self.spent > MOST_WORK || self.words.len() > MOST_KEPT_WORDS {
            let name = self.types.vm.method_text(self.method);
            return Err(
                Fault::unsupported(format!("{name} is too intricate to be verified")).into(),
            );
        }
        Ok(())
    }

    /// Analyses instructions from the current one until control ends or a join point does not
    /// change.
    fn walk(&mut self, from_above: bool) -> Result<(), VerificationFailure> {
        let decoded = self.decoded;
        let mut from_above = from_above;
        let mut handled = 0;
        loop {
            let Some(insn) = decoded.insns.get(self.at) else {
                return wrong("control falls off the end of the code");
            };
            if from_above && self.meets[self.at] != NONE {
                let (place, changed) = self.arrive(self.context, self.at, None)?;
                if !changed {
                    return Ok(());
                }
                self.work.remove(&(self.context, self.at as u32));
                self.take_place(place);
            }
            from_above = true;
            self.spend(1)?;
            let region = self.regions[self.at];
            if region != 0 && (region != handled || self.frame.locals_changed) {
                self.flow_to_handlers(region)?;
                self.frame.locals_changed = false;
            }
            handled = region;
            if !self.step(insn)? {
                return Ok(());
            }
            self.at += 1;
        }
    }

    /// Propagates the current locals, with the exception on the stack, to the handlers of a
    /// region.
    fn flow_to_handlers(&mut self, region: u32) -> Result<(), VerificationFailure> {
        for index in 0..self.handlers[region as usize].len() {
            let Catcher { target, class } = self.handlers[region as usize][index];
            self.flow(
                self.context,
                target as usize,
                Some(VerificationType::Class(class)),
            )?;
        }
        Ok(())
    }

    /// Propagates the current frame to an instruction; `thrown` replaces the stack.
    fn flow(
        &mut self,
        context: u32,
        insn: usize,
        thrown: Option<VerificationType>,
    ) -> Result<(), VerificationFailure> {
        if self.arrive(context, insn, thrown)?.1 {
            self.work.insert((context, insn as u32));
        }
        Ok(())
    }

    /// Propagates the current frame to the target of a branch.
    fn branch_to(&mut self, target: i32) -> Result<(), VerificationFailure> {
        self.flow(
            self.context,
            self.decoded.starts[target as usize] as usize,
            None,
        )
    }

    /// Joins the current frame with the stored one of an instruction; returns whether that
    /// changed it.
    fn arrive(
        &mut self,
        context: u32,
        insn: usize,
        thrown: Option<VerificationType>,
    ) -> Result<(u32, bool), VerificationFailure> {
        let meeting_point = self.meets[insn] as usize;
        let place = self.places[context as usize][meeting_point];
        let thrown: Option<[VerificationType; 1]> = thrown.map(|class| [class]);
        let stack: &[VerificationType] = thrown.as_ref().map_or(&self.frame.stack, |thrown| thrown);
        let locals = &self.frame.locals;
        let size = locals.len() + stack.len();
        if place == NONE {
            let new = JoinFrame {
                start: self.words.len() as u32,
                depth: stack.len() as u16,
                constructed: self.frame.constructed,
            };
            self.words.extend_from_slice(locals);
            self.words.extend_from_slice(stack);
            self.kept.push(new);
            let place = self.kept.len() as u32 - 1;
            self.places[context as usize][meeting_point] = place;
            self.spend(1 + size)?;
            return Ok((place, true));
        }
        let kept = &mut self.kept[place as usize];
        if usize::from(kept.depth) != stack.len() {
            return wrong(format!(
                "stacks of {} and {} words meet",
                kept.depth,
                stack.len()
            ));
        }
        let mut changed = kept.constructed && !self.frame.constructed;
        kept.constructed &= self.frame.constructed;
        let start = kept.start as usize;
        for (index, &new) in locals.iter().chain(stack).enumerate() {
            let old = self.words[start + index];
            if old == new {
                continue;
            }
            let joined = self.types.join(old, new);
            if joined == old {
                continue;
            }
            if joined == VerificationType::Top && index >= locals.len() {
                let (old, new) = (self.describe(old), self.describe(new));
                return wrong(format!(
                    "{old} and {new} meet on the stack of {}",
                    self.decoded.insns[insn].at
                ));
            }
            self.words[start + index] = joined;
            changed = true;
        }
        self.spend(1 + size)?;
        Ok((place, changed))
    }

    /// Loads a stored frame as the current one.
    fn take_place(&mut self, place: u32) {
        let JoinFrame {
            start,
            depth,
            constructed,
        } = self.kept[place as usize];
        let (start, locals) = (start as usize, usize::from(self.info.max_locals));
        let words = &self.words[start..start + locals + usize::from(depth)];
        self.frame.locals.clear();
        self.frame.locals.extend_from_slice(&words[..locals]);
        self.frame.stack.clear();
        self.frame.stack.extend_from_slice(&words[locals..]);
        self.frame.constructed = constructed;
        self.frame.locals_changed = true;
    }

    /// Number of a chain of subroutine calls.
    fn context_of(&mut self, chain: &[(u16, u16)]) -> Result<u32, VerificationFailure> {
        if chain.is_empty() {
            return Ok(0);
        }
        if let Some(&context) = self.chain_index.get(chain) {
            return Ok(context);
        }
        let context = self.chains.len() as u32;
        if self.chains.len() == MOST_CONTEXTS {
            self.spent = MOST_WORK;
        }
        // The storage for another chain counts as work.
        self.spend(1 + 8 * self.meeting_points)?;
        self.chains.push(chain.to_vec());
        self.chain_index.insert(chain.to_vec(), context);
        self.places.push(vec![NONE; self.meeting_points]);
        Ok(context)
    }
}
