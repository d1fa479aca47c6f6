//! Streams of DEFLATE data, as `Deflater` and `Inflater` use them.
//!
//! Invariant: a stream's state is the list of its operations, which is shared between marks. The
//! library's own state is a cache: after going back it is computed again from the list.

use std::collections::BTreeMap;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};
use rustc_hash::FxHashMap;
use simd_adler32::Adler32;

/// Kind of a stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum StreamKind {
    /// Compression at a level of 0 to 9; `raw` without zlib's header and checksum.
    Deflate { level: u32, raw: bool },
    /// Decompression.
    Inflate { raw: bool },
}

/// Operation on a stream.
#[derive(Debug, PartialEq, Eq, Hash)]
pub(crate) enum StreamOperation {
    /// Input, bytes of room for output, and the flush mode of zlib.
    Process {
        input: Vec<u8>,
        room: usize,
        flush: u32,
    },
    Dictionary(Vec<u8>),
    Level(u32),
    Reset,
}

/// Result of an operation.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Processed {
    pub consumed: usize,
    pub output: Vec<u8>,
    pub finished: bool,
    pub needs_dictionary: bool,
    /// Message of zlib about malformed data.
    pub error: Option<String>,
}

#[derive(Clone, Hash)]
struct Stream {
    kind: StreamKind,
    operations: Vec<Arc<StreamOperation>>,
}

/// All streams in use, by handle.
#[derive(Clone, Default)]
pub(crate) struct Streams {
    streams: BTreeMap<u64, Stream>,
    /// Bytes of all input that the lists hold.
    bytes: u64,
}

impl Hash for Streams {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.streams.hash(state);
    }
}

/// States of the library, by handle; they are made again from the operations where they are missing.
#[derive(Default)]
pub(crate) struct LiveStreams(FxHashMap<u64, LiveStream>);

impl Clone for LiveStreams {
    fn clone(&self) -> Self {
        LiveStreams::default()
    }
}

struct LiveStream {
    kind: StreamKind,
    applied: Vec<Arc<StreamOperation>>,
    coder: Coder,
    adler: u32,
}

enum Coder {
    Deflate(Compress),
    Inflate(Decompress),
}

impl Streams {
    pub(crate) fn open(&mut self, kind: StreamKind) -> u64 {
        let last = self.streams.last_key_value();
        let handle = last.map_or(0, |(handle, _)| *handle) + 1;
        let operations = Vec::new();
        self.streams.insert(handle, Stream { kind, operations });
        handle
    }

    pub(crate) fn close(&mut self, live: &mut LiveStreams, handle: u64) {
        live.0.remove(&handle);
        self.forget_input(handle);
        self.streams.remove(&handle);
    }

    /// Bytes of input that are kept for going back.
    pub(crate) fn bytes(&self) -> u64 {
        self.bytes
    }

    fn forget_input(&mut self, handle: u64) {
        let operations = self.streams.get(&handle).map(|stream| &stream.operations);
        let inputs = operations
            .into_iter()
            .flatten()
            .map(|operation| match &**operation {
                StreamOperation::Process { input, .. } => input.len() as u64,
                _ => 0,
            });
        self.bytes -= inputs.sum::<u64>();
    }

    /// Applies an operation; `None` if the stream is not open.
    pub(crate) fn apply(
        &mut self,
        live: &mut LiveStreams,
        handle: u64,
        operation: StreamOperation,
    ) -> Option<Processed> {
        if operation == StreamOperation::Reset {
            // What came before does not matter any more, except for the level.
            self.forget_input(handle);
            let stream = self.streams.get_mut(&handle)?;
            let level = stream
                .operations
                .iter()
                .rev()
                .find_map(|operation| match &**operation {
                    StreamOperation::Level(level) => Some(*level),
                    _ => None,
                });
            stream.operations.clear();
            if let (Some(new), StreamKind::Deflate { level, .. }) = (level, &mut stream.kind) {
                *level = new;
            }
            live.0.remove(&handle);
            return Some(Processed::default());
        }
        if let StreamOperation::Process { input, .. } = &operation {
            self.bytes += input.len() as u64;
        }
        let stream = self.streams.get_mut(&handle)?;
        let coder = live.of(handle, stream);
        let operation = Arc::new(operation);
        let processed = coder.apply(&operation);
        coder.applied.push(Arc::clone(&operation));
        stream.operations.push(operation);
        Some(processed)
    }

    /// The checksum of a stream.
    pub(crate) fn adler(&self, live: &mut LiveStreams, handle: u64) -> Option<u32> {
        let stream = self.streams.get(&handle)?;
        Some(live.of(handle, stream).adler)
    }
}

impl LiveStreams {
    /// The library's state after all operations of a stream.
    fn of(&mut self, handle: u64, stream: &Stream) -> &mut LiveStream {
        let is_current = self.0.get(&handle).is_some_and(|live| {
            let pairs = live.applied.iter().zip(&stream.operations).rev();
            live.kind == stream.kind
                && live.applied.len() == stream.operations.len()
                && pairs
                    .take(1)
                    .all(|(applied, wanted)| Arc::ptr_eq(applied, wanted))
        });
        if !is_current {
            let mut live = LiveStream::new(stream.kind);
            for operation in &stream.operations {
                live.apply(operation);
                live.applied.push(Arc::clone(operation));
            }
            self.0.insert(handle, live);
        }
        self.0.get_mut(&handle).expect("the stream just made")
    }
}

impl LiveStream {
    fn new(kind: StreamKind) -> LiveStream {
        let (coder, adler) = match kind {
            StreamKind::Deflate { level, raw } => {
                let coder = Compress::new(Compression::new(level), !raw);
                (Coder::Deflate(coder), 1)
            }
            StreamKind::Inflate { raw } => (Coder::Inflate(Decompress::new(!raw)), u32::from(!raw)),
        };
        LiveStream {
            kind,
            applied: Vec::new(),
            coder,
            adler,
        }
    }

    fn is_raw(&self) -> bool {
        match self.kind {
            StreamKind::Deflate { raw, .. } | StreamKind::Inflate { raw } => raw,
        }
    }

    fn apply(&mut self, operation: &StreamOperation) -> Processed {
        match operation {
            StreamOperation::Process { input, room, flush } => self.process(input, *room, *flush),
            StreamOperation::Dictionary(dictionary) => {
                let set = match &mut self.coder {
                    Coder::Deflate(coder) => coder.set_dictionary(dictionary).ok(),
                    Coder::Inflate(coder) => coder.set_dictionary(dictionary).ok(),
                };
                Processed {
                    error: set.is_none().then(String::new),
                    ..Processed::default()
                }
            }
            StreamOperation::Level(level) => {
                if let Coder::Deflate(coder) = &mut self.coder {
                    // Fails only where pending output has no room, and is done later then.
                    let _ = coder.set_level(Compression::new(*level));
                }
                Processed::default()
            }
            StreamOperation::Reset => Processed::default(),
        }
    }

    fn process(&mut self, input: &[u8], room: usize, flush: u32) -> Processed {
        const SYNC: u32 = 2;
        const FULL: u32 = 3;
        const FINISH: u32 = 4;
        let mut output = vec![0; room];
        let (before_in, before_out) = self.totals();
        let mut needs_dictionary = false;
        let status = match &mut self.coder {
            Coder::Deflate(coder) => {
                let flush = match flush {
                    SYNC => FlushCompress::Sync,
                    FULL => FlushCompress::Full,
                    FINISH => FlushCompress::Finish,
                    _ => FlushCompress::None,
                };
                let status = coder.compress(input, &mut output, flush);
                status.map_err(|error| error.to_string())
            }
            Coder::Inflate(coder) => {
                let status = coder.decompress(input, &mut output, FlushDecompress::Sync);
                status.or_else(|error| match error.needs_dictionary() {
                    Some(adler) => {
                        self.adler = adler;
                        needs_dictionary = true;
                        Ok(Status::Ok)
                    }
                    None => Err(error.message().unwrap_or_default().to_owned()),
                })
            }
        };
        let (after_in, after_out) = self.totals();
        let consumed = (after_in - before_in) as usize;
        output.truncate((after_out - before_out) as usize);
        if !self.is_raw() && !needs_dictionary {
            let mut adler = Adler32::from_checksum(self.adler);
            adler.write(match self.coder {
                Coder::Deflate(_) => &input[..consumed],
                Coder::Inflate(_) => &output,
            });
            self.adler = adler.finish();
        }
        Processed {
            consumed,
            output,
            finished: status == Ok(Status::StreamEnd),
            needs_dictionary,
            error: status.err(),
        }
    }

    /// Bytes read and written so far.
    fn totals(&self) -> (u64, u64) {
        match &self.coder {
            Coder::Deflate(coder) => (coder.total_in(), coder.total_out()),
            Coder::Inflate(coder) => (coder.total_in(), coder.total_out()),
        }
    }
}
