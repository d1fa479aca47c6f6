//! Set of reached structures in the order of discovery, each with its origin.
//!
//! All records are stored in one byte vector. A record holds lengths, the origin and the form. A
//! hash table maps the hash of a form to its position; equality of the bytes decides.

use std::hash::Hasher;

use hashbrown::HashTable;
use rustc_hash::FxHasher;

use crate::canonical::CanonicalForm;

/// Number of records between two with indexed positions.
const STRIDE: usize = 16;

/// Size in bytes from which the vector grows by an eighth instead of doubling; a large block of
/// memory is not copied when it grows.
const LARGE: usize = 1 << 20;

/// Most bytes of the three lengths of a record.
const MOST_LENGTHS: usize = 30;

/// Position of a record, in five bytes: a terabyte is enough.
#[derive(Clone, Copy)]
struct RecordPosition([u8; 5]);

impl RecordPosition {
    fn new(at: usize) -> RecordPosition {
        let bytes = (at as u64).to_le_bytes();
        RecordPosition([bytes[0], bytes[1], bytes[2], bytes[3], bytes[4]])
    }

    fn at(self) -> usize {
        let [a, b, c, d, e] = self.0;
        u64::from_le_bytes([a, b, c, d, e, 0, 0, 0]) as usize
    }
}

/// Reached structure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record<'a> {
    /// Canonical form of the structure.
    pub form: CanonicalForm<'a>,
    /// Origin, in the caller's encoding.
    pub origin: &'a [u8],
}

/// Set of forms in insertion order.
#[derive(Clone, Default)]
pub struct FormSet {
    bytes: Vec<u8>,
    table: HashTable<RecordPosition>,
    /// Positions of every 16th record.
    places: Vec<u64>,
    len: usize,
}

impl FormSet {
    /// Number of structures.
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Hash of a form's compared part, for [`FormSet::contains`] and [`FormSet::insert`].
    #[must_use]
    pub fn hash(compared: &[u8]) -> u64 {
        let mut hasher = FxHasher::default();
        hasher.write(compared);
        hasher.finish()
    }

    /// Whether a structure with the same compared part is present.
    #[must_use]
    pub fn contains(&self, hash: u64, compared: &[u8]) -> bool {
        let is_same = |place: &RecordPosition| self.record(place.at()).0.form.compared == compared;
        self.table.find(hash, is_same).is_some()
    }

    /// A number of the structure with the same compared part that no other structure has.
    #[must_use]
    pub fn place_of(&self, compared: &[u8]) -> Option<usize> {
        let is_same = |place: &RecordPosition| self.record(place.at()).0.form.compared == compared;
        let place = self.table.find(FormSet::hash(compared), is_same)?;
        Some(place.at())
    }

    /// Iterates over all structures in insertion order, each with its position in the bytes.
    pub(crate) fn with_places(&self) -> impl Iterator<Item = (usize, Record<'_>)> {
        let mut at = 0;
        std::iter::from_fn(move || {
            (at < self.bytes.len()).then(|| {
                let place = at;
                let (record, next) = self.record(at);
                at = next;
                (place, record)
            })
        })
    }

    /// Inserts a structure if it is new; returns whether it was.
    pub fn insert(&mut self, hash: u64, form: CanonicalForm<'_>, origin: &[u8]) -> bool {
        if self.contains(hash, form.compared) {
            return false;
        }
        let place = RecordPosition::new(self.bytes.len());
        self.append(form, origin);
        let bytes = &self.bytes;
        self.table.insert_unique(hash, place, |place| {
            FormSet::hash(record(bytes, place.at()).0.form.compared)
        });
        true
    }

    /// Appends a structure without the check that it is new; [`FormSet::contains`] does not find
    /// it.
    pub fn append(&mut self, form: CanonicalForm<'_>, origin: &[u8]) {
        if self.len.is_multiple_of(STRIDE) {
            self.places.push(self.bytes.len() as u64);
        }
        self.len += 1;
        let room = MOST_LENGTHS + origin.len() + form.compared.len() + form.omitted.len();
        if self.bytes.len() >= LARGE && self.bytes.capacity() - self.bytes.len() < room {
            self.bytes.reserve_exact(room.max(self.bytes.len() / 8));
        }
        put_record(&mut self.bytes, form, origin);
    }

    /// Removes all structures; retains the memory for others.
    pub(crate) fn clear(&mut self) {
        self.bytes.clear();
        self.table.clear();
        self.places.clear();
        self.len = 0;
    }

    /// The records.
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Structure with the insertion number `index`, from 0.
    #[must_use]
    pub fn get(&self, index: usize) -> Option<Record<'_>> {
        self.from(index).next()
    }

    /// Iterates over the structures from number `index`, in insertion order.
    pub fn from(&self, index: usize) -> impl Iterator<Item = Record<'_>> {
        let mut at = match self.places.get(index / STRIDE) {
            Some(&place) => place as usize,
            None => self.bytes.len(),
        };
        let records = std::iter::from_fn(move || {
            (at < self.bytes.len()).then(|| {
                let (record, next) = self.record(at);
                at = next;
                record
            })
        });
        records.skip(index % STRIDE)
    }

    /// Bytes of memory in use.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let table = self.table.capacity() * 8 / 7 * (size_of::<RecordPosition>() + 1);
        (self.bytes.capacity() + table + self.places.capacity() * 8) as u64
    }

    fn record(&self, at: usize) -> (Record<'_>, usize) {
        record(&self.bytes, at)
    }
}

/// Appends a record.
pub(crate) fn put_record(bytes: &mut Vec<u8>, form: CanonicalForm<'_>, origin: &[u8]) {
    let has_omitted = !form.omitted.is_empty();
    put_length(bytes, form.compared.len() << 1 | usize::from(has_omitted));
    if has_omitted {
        put_length(bytes, form.omitted.len());
    }
    put_length(bytes, origin.len());
    bytes.extend_from_slice(origin);
    bytes.extend_from_slice(form.compared);
    bytes.extend_from_slice(form.omitted);
}

/// Returns the record at a position, and the position of the next.
#[inline]
pub(crate) fn record(bytes: &[u8], at: usize) -> (Record<'_>, usize) {
    let mut at = at;
    let length = take_length(bytes, &mut at);
    let omitted = match length & 1 {
        0 => 0,
        _ => take_length(bytes, &mut at),
    };
    let origin = take_length(bytes, &mut at);
    let compared_at = at + origin;
    let omitted_at = compared_at + (length >> 1);
    let end = omitted_at + omitted;
    let form = CanonicalForm {
        compared: &bytes[compared_at..omitted_at],
        omitted: &bytes[omitted_at..end],
    };
    let origin = &bytes[at..compared_at];
    (Record { form, origin }, end)
}

/// Writes a length, seven bits in each byte.
pub(crate) fn put_length(bytes: &mut Vec<u8>, mut length: usize) {
    while length >= 0x80 {
        bytes.push(length as u8 | 0x80);
        length >>= 7;
    }
    bytes.push(length as u8);
}

/// Reads a length, and moves behind it.
#[inline]
pub(crate) fn take_length(bytes: &[u8], at: &mut usize) -> usize {
    let (mut length, mut shift) = (0, 0);
    loop {
        let byte = bytes[*at];
        *at += 1;
        length |= usize::from(byte & 0x7F) << shift;
        if byte < 0x80 {
            return length;
        }
        shift += 7;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_come_back_in_order() {
        let mut reached = FormSet::default();
        let forms: Vec<Vec<u8>> = (0..1000u32)
            .map(|n| [n as u8, (n >> 8) as u8].repeat(1 + n as usize % 90))
            .collect();
        let form = |index: usize| CanonicalForm {
            compared: &forms[index],
            omitted: &forms[index][..index % 3],
        };
        let hash = |form: CanonicalForm<'_>| FormSet::hash(form.compared);
        for index in 0..1000 {
            let origin = [index as u8; 3];
            assert!(reached.insert(hash(form(index)), form(index), &origin));
            assert!(!reached.insert(hash(form(index)), form(index), &[]));
        }
        assert_eq!(reached.len(), 1000);
        for start in [0, 1, 15, 16, 17, 999, 1000] {
            let found: Vec<Record<'_>> = reached.from(start).collect();
            assert_eq!(found.len(), 1000 - start);
            for (index, record) in (start..).zip(found) {
                assert_eq!(record.form, form(index));
                assert_eq!(record.origin, [index as u8; 3]);
            }
        }
        assert_eq!(reached.get(1000), None);
    }

    #[test]
    fn equality_decides_where_hashes_agree() {
        let mut reached = FormSet::default();
        let form = |compared| CanonicalForm {
            compared,
            omitted: &[],
        };
        assert!(reached.insert(7, form(&[1]), &[]));
        assert!(reached.insert(7, form(&[2]), &[]));
        assert!(!reached.insert(7, form(&[1]), &[]));
    }
}
