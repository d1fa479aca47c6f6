//! Class files of lambdas that answer each call with what their one field holds.
//!
//! Invariant: what is written here the engine's verifier takes, in the form of class files of Java 6, which
//! need no stack maps.

use std::collections::BTreeMap;

use heapwright_jvm::class::flags;
use heapwright_jvm::descriptor::{self, Kind};

/// The field that holds the answer.
pub(super) const FIELD: &str = "answer";

/// The version of class files of Java 6.
const VERSION: u16 = 50;

mod opcode {
    pub const ACONST_NULL: u8 = 0x01;
    pub const ALOAD_0: u8 = 0x2a;
    pub const GETFIELD: u8 = 0xb4;
    pub const IRETURN: u8 = 0xac;
    pub const LRETURN: u8 = 0xad;
    pub const FRETURN: u8 = 0xae;
    pub const DRETURN: u8 = 0xaf;
    pub const ARETURN: u8 = 0xb0;
    pub const RETURN: u8 = 0xb1;
}

/// The constants of a class file.
#[derive(Default)]
struct Pool {
    bytes: Vec<u8>,
    count: u16,
    known: BTreeMap<Vec<u8>, u16>,
}

impl Pool {
    fn entry(&mut self, bytes: Vec<u8>) -> u16 {
        if let Some(&known) = self.known.get(&bytes) {
            return known;
        }
        self.count += 1;
        self.bytes.extend(&bytes);
        self.known.insert(bytes, self.count);
        self.count
    }

    /// Names come out of class files, where they have at most so many bytes as fit.
    fn text(&mut self, text: &str) -> u16 {
        let mut bytes = vec![1];
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text.as_bytes());
        self.entry(bytes)
    }

    fn pair(&mut self, tag: u8, parts: &[u16]) -> u16 {
        let mut bytes = vec![tag];
        bytes.extend(parts.iter().flat_map(|part| part.to_be_bytes()));
        self.entry(bytes)
    }

    fn class(&mut self, name: &str) -> u16 {
        let name = self.text(name);
        self.pair(7, &[name])
    }

    fn field(&mut self, class: u16, name: &str, descriptor: &str) -> u16 {
        let (name, descriptor) = (self.text(name), self.text(descriptor));
        let both = self.pair(12, &[name, descriptor]);
        self.pair(9, &[class, both])
    }
}

/// A final class that implements an interface by methods of these names and descriptors, each of which
/// returns what its field of type `field` holds; without one null or nothing.
pub(super) fn class_file(
    name: &str,
    interface: &str,
    field: Option<&str>,
    methods: &[(String, String)],
) -> Vec<u8> {
    let mut pool = Pool::default();
    let this = pool.class(name);
    let object = pool.class("java/lang/Object");
    let interface = pool.class(interface);
    let mut body: Vec<u16> = vec![
        flags::FINAL | flags::SYNTHETIC,
        this,
        object,
        1,
        interface,
        u16::from(field.is_some()),
    ];
    if let Some(descriptor) = field {
        let (name, descriptor) = (pool.text(FIELD), pool.text(descriptor));
        body.extend([flags::FINAL, name, descriptor, 0]);
    }
    let mut bytes: Vec<u8> = body.iter().flat_map(|part| part.to_be_bytes()).collect();
    bytes.extend((methods.len() as u16).to_be_bytes());
    for (name, descriptor) in methods {
        let code = returning(&mut pool, this, field, descriptor);
        let parts = [
            flags::PUBLIC,
            pool.text(name),
            pool.text(descriptor),
            1,
            pool.text("Code"),
        ];
        bytes.extend(parts.iter().flat_map(|part| part.to_be_bytes()));
        let (parameters, _) = descriptor::split_method(descriptor).unwrap_or_default();
        let words = parameters
            .iter()
            .map(|parameter| Kind::of(parameter).words());
        let locals = 1 + words.sum::<u16>();
        let mut attribute: Vec<u8> = Vec::new();
        // The stack, variables, code, no handlers and no attributes.
        attribute.extend(2_u16.to_be_bytes());
        attribute.extend(locals.to_be_bytes());
        attribute.extend((code.len() as u32).to_be_bytes());
        attribute.extend(code);
        attribute.extend([0; 4]);
        bytes.extend((attribute.len() as u32).to_be_bytes());
        bytes.extend(attribute);
    }
    bytes.extend([0; 2]);
    let mut file = 0xCAFE_BABE_u32.to_be_bytes().to_vec();
    file.extend([0; 2]);
    file.extend(VERSION.to_be_bytes());
    file.extend((pool.count + 1).to_be_bytes());
    file.extend(pool.bytes);
    file.extend(bytes);
    file
}

fn returning(pool: &mut Pool, this: u16, field: Option<&str>, descriptor: &str) -> Vec<u8> {
    let result = descriptor::split_method(descriptor).map_or("V", |split| split.1);
    let kind = Kind::of(result);
    if kind == Kind::Void {
        return vec![opcode::RETURN];
    }
    let Some(field) = field else {
        return vec![opcode::ACONST_NULL, opcode::ARETURN];
    };
    let [high, low] = pool.field(this, FIELD, field).to_be_bytes();
    let end = match kind {
        Kind::Long => opcode::LRETURN,
        Kind::Float => opcode::FRETURN,
        Kind::Double => opcode::DRETURN,
        Kind::Reference => opcode::ARETURN,
        _ => opcode::IRETURN,
    };
    vec![opcode::ALOAD_0, opcode::GETFIELD, high, low, end]
}
