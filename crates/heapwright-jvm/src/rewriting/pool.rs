//! Constant pool to which entries are added (JVMS §4.4).

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::classfile::pool_entries;

/// Position of the number of entries.
const COUNT: usize = 8;

const UTF8: u8 = 1;
const INTEGER: u8 = 3;
const CLASS: u8 = 7;
const STRING: u8 = 8;
const FIELD: u8 = 9;
const METHOD: u8 = 10;
const INTERFACE_METHOD: u8 = 11;
const NAME_AND_TYPE: u8 = 12;

/// Constant pool of a class file, with further entries.
pub(super) struct Pool<'a> {
    bytes: &'a [u8],
    /// Positions of the entries; 0 for those that are none.
    entries: Vec<usize>,
    end: usize,
    added: RefCell<Added>,
}

#[derive(Default)]
struct Added {
    bytes: Vec<u8>,
    /// Indices of the added entries, by their bytes.
    known: BTreeMap<Vec<u8>, u16>,
    is_full: bool,
}

impl<'a> Pool<'a> {
    /// Reads the pool of a class file; `None` if it is malformed.
    pub fn of(bytes: &'a [u8]) -> Option<Pool<'a>> {
        let (entries, end) = pool_entries(bytes)?;
        Some(Pool {
            bytes,
            entries,
            end,
            added: RefCell::default(),
        })
    }

    /// Position behind it.
    pub fn end(&self) -> usize {
        self.end
    }

    /// Text of an entry, in modified UTF-8.
    pub fn text(&self, index: u16) -> Option<&'a [u8]> {
        let at = *self.entries.get(usize::from(index))?;
        match self.bytes.get(at..at + 3)? {
            &[UTF8, high, low] => {
                let length = usize::from(u16::from_be_bytes([high, low]));
                self.bytes.get(at + 3..at + 3 + length)
            }
            _ => None,
        }
    }

    /// The class file up to the end of the pool, with the added entries.
    ///
    /// # Errors
    /// There are too many.
    pub fn written(&self) -> Result<Vec<u8>, String> {
        let added = self.added.borrow();
        if added.is_full {
            return Err("its constant pool is full".to_owned());
        }
        let count = (self.entries.len() + added.known.len()) as u16;
        let mut made = self.bytes[..COUNT].to_vec();
        made.extend(count.to_be_bytes());
        made.extend(&self.bytes[COUNT + 2..self.end]);
        made.extend(&added.bytes);
        Ok(made)
    }

    fn add(&self, entry: Vec<u8>) -> u16 {
        let mut added = self.added.borrow_mut();
        if let Some(&index) = added.known.get(&entry) {
            return index;
        }
        let index = self.entries.len() + added.known.len();
        let Ok(index) = u16::try_from(index) else {
            added.is_full = true;
            return 0;
        };
        added.is_full |= index == u16::MAX;
        added.bytes.extend(&entry);
        added.known.insert(entry, index);
        index
    }

    fn pair(&self, tag: u8, one: u16, other: u16) -> u16 {
        let ([a, b], [c, d]) = (one.to_be_bytes(), other.to_be_bytes());
        self.add(vec![tag, a, b, c, d])
    }

    fn utf8(&self, text: &str) -> u16 {
        let mut entry = vec![UTF8];
        entry.extend((text.len() as u16).to_be_bytes());
        entry.extend(text.as_bytes());
        self.add(entry)
    }

    /// Entry of an int.
    pub fn int(&self, value: i32) -> u16 {
        let mut entry = vec![INTEGER];
        entry.extend(value.to_be_bytes());
        self.add(entry)
    }

    /// Entry of a string literal.
    pub fn string(&self, text: &str) -> u16 {
        let [a, b] = self.utf8(text).to_be_bytes();
        self.add(vec![STRING, a, b])
    }

    fn class(&self, name: &str) -> u16 {
        let [a, b] = self.utf8(name).to_be_bytes();
        self.add(vec![CLASS, a, b])
    }

    fn member(&self, tag: u8, class: &str, (name, descriptor): (&str, &str)) -> u16 {
        let pair = self.pair(NAME_AND_TYPE, self.utf8(name), self.utf8(descriptor));
        self.pair(tag, self.class(class), pair)
    }

    /// Entry of a field.
    pub fn field(&self, class: &str, member: (&str, &str)) -> u16 {
        self.member(FIELD, class, member)
    }

    /// Entry of a method of a class or of an interface.
    pub fn method(&self, class: &str, member: (&str, &str), is_interface: bool) -> u16 {
        let tag = if is_interface {
            INTERFACE_METHOD
        } else {
            METHOD
        };
        self.member(tag, class, member)
    }
}
