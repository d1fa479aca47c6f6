//! What a program reads from outside, as inputs.
//!
//! Methods of the JDK are replaced by those of a class embedded in the host program, which asks for
//! inputs. Lines are read from open streams without looking at bytes, because a decoder would split
//! each byte.
//!
//! Invariant: nothing is an input that an initialiser of the library reads, since what that sets
//! lasts for all paths.

use crate::class::MethodId;
use crate::heap::Ref;
use crate::machine::{Machine, is_symbolic};
use crate::vm::{Fault, Vm};

use super::ReplacedCall;

/// Class whose static methods stand in for those of the JDK.
pub(crate) const WORLD: &str = "heapwright/verify/World";
/// Class of streams with open contents.
const OPEN_STREAM: &str = "heapwright/verify/OpenStream";

/// Class of sockets of which what they receive is open.
const OPEN_SOCKET: &str = "heapwright/verify/OpenSocket";

/// Streams that pass on the bytes of the stream in their field `in`.
const PASSING: [&str; 3] = [
    "java/io/BufferedInputStream",
    "java/io/DataInputStream",
    "java/net/Socket$SocketInputStream",
];
/// Streams of files whose bytes are those of the file; standard input is one of them.
const OF_FILES: [&str; 2] = ["java/io/FileInputStream", "java/lang/System$In"];
/// Most streams around another.
const MAX_PASSED: usize = 16;

/// Call that reads from outside.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorldCall {
    /// Static method with a namesake of the same descriptor.
    Same,
    /// Native of `FileInputStream`, if the stream is standard input. The namesake is static and has
    /// this name and descriptor.
    Console(&'static str, &'static str),
    /// `BufferedReader.readLine()`, if the reader has an open stream of which only lines were read.
    Line,
}

/// Stream below a reader.
enum Source {
    /// Stream with open contents.
    Open(Ref),
    /// Standard input.
    Console,
}

impl Vm {
    /// Calls what stands in for a method that reads from outside.
    pub(super) fn read_world<M: Machine>(
        &mut self,
        call: WorldCall,
        method: MethodId,
        first: usize,
    ) -> Result<ReplacedCall, Fault> {
        if !M::HAS_INPUTS || !self.config.opens_world || self.is_initializing_library() {
            return Ok(ReplacedCall::Plain);
        }
        let instead = match call {
            WorldCall::Same => {
                let this = self.method(method);
                let name = self.text(this.name).to_owned();
                let descriptor = self.text(this.descriptor).to_owned();
                self.method_named(WORLD, &name, &descriptor)?
            }
            WorldCall::Console(name, descriptor) => {
                let stream = self.state.registers[first];
                if is_symbolic(stream) || !self.is_console(Ref::from_slot(stream))? {
                    return Ok(ReplacedCall::Plain);
                }
                self.method_named(WORLD, name, descriptor)?
            }
            WorldCall::Line => {
                let reader = self.state.registers[first];
                match self.line_source(reader)? {
                    None => return Ok(ReplacedCall::Plain),
                    Some(Source::Console) => {
                        let descriptor = "(Ljava/lang/Object;)Ljava/lang/String;";
                        self.method_named(WORLD, "readConsoleLine", descriptor)?
                    }
                    Some(Source::Open(stream)) => {
                        self.state.registers[first] = stream.slot();
                        self.method_named(OPEN_STREAM, "readLine", "()Ljava/lang/String;")?
                    }
                }
            }
        };
        Ok(ReplacedCall::Instead(instead))
    }

    /// Object in a field, if it is one.
    pub(super) fn held(&mut self, object: Ref, field: &str) -> Result<Option<Ref>, Fault> {
        let word = self.word_of(self.heap.class_of(object), field)?;
        let held = self.concrete(object, word);
        Ok(held.filter(|held| !held.is_null()))
    }

    fn is_a(&self, object: Ref, class: &str) -> bool {
        let display = &self.class(self.heap.class_of(object)).display;
        display.iter().any(|&one| self.class_name(one) == class)
    }

    pub(super) fn has_class(&self, object: Ref, class: &str) -> bool {
        self.class_name(self.heap.class_of(object)) == class
    }

    fn is_console(&mut self, stream: Ref) -> Result<bool, Fault> {
        let Some(descriptor) = self.held(stream, "fd")? else {
            return Ok(false);
        };
        let word = self.word_of(self.heap.class_of(descriptor), "fd")?;
        Ok(self.heap.field(descriptor, word) == 0)
    }

    /// Stream from which a reader reads its next line, if its contents are open and no bytes of it
    /// were read.
    fn line_source(&mut self, reader: u64) -> Result<Option<Source>, Fault> {
        if is_symbolic(reader) || reader == 0 {
            return Ok(None);
        }
        let reader = Ref::from_slot(reader);
        let Some(decoding) = self.held(reader, "in")? else {
            return Ok(None);
        };
        if !self.has_class(decoding, "java/io/InputStreamReader") {
            return Ok(None);
        }
        let Some(decoder) = self.held(decoding, "sd")? else {
            return Ok(None);
        };
        let is_closed = self.word_of(self.heap.class_of(decoder), "closed")?;
        if self.heap.field(decoder, is_closed) != 0 {
            return Ok(None);
        }
        let mut stream = self.held(decoder, "in")?;
        for _ in 0..MAX_PASSED {
            let Some(next) = stream else {
                return Ok(None);
            };
            if self.is_a(next, OPEN_STREAM) {
                return Ok((!self.has_given(next)?).then_some(Source::Open(next)));
            }
            if OF_FILES.iter().any(|class| self.has_class(next, class)) {
                let is_console = self.is_console(next)?;
                let is_fresh = is_console && !self.console_has_given()?;
                return Ok(is_fresh.then_some(Source::Console));
            }
            if !PASSING.iter().any(|class| self.has_class(next, class)) {
                return Ok(None);
            }
            stream = self.held(next, "in")?;
        }
        Ok(None)
    }

    /// Whether bytes of an open stream were read.
    fn has_given(&mut self, stream: Ref) -> Result<bool, Fault> {
        let word = self.word_of(self.heap.class_of(stream), "hasGivenBytes")?;
        Ok(self.heap.field(stream, word) != 0)
    }

    /// Whether bytes of standard input were read.
    fn console_has_given(&mut self) -> Result<bool, Fault> {
        let world = self
            .load_class(WORLD)
            .map_err(|error| self.load_fault(error))?;
        let field = self.find_field(world, "hasGivenConsoleBytes");
        Ok(field.is_none_or(|field| self.heap.load(field.word) != 0))
    }
}

/// Whether a class asks for inputs on behalf of the library.
pub(super) fn is_of_world(class: &str) -> bool {
    let outer = class.split_once('$').map_or(class, |(outer, _)| outer);
    [WORLD, OPEN_STREAM, OPEN_SOCKET].contains(&outer)
}
