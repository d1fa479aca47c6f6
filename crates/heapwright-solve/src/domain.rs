//! Sets of integers within a window.

/// A set of integers, at least one, as a window of bits.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// The integer of bit 0.
    pub(crate) offset: i64,
    pub(crate) words: Vec<u64>,
}

/// Widest distance between two integers of a domain.
const MAX_SPAN: u64 = 1 << 12;
/// Largest absolute value: sums of a few stay within 64 bits.
const MAX_VALUE: i64 = 1 << 56;

impl Domain {
    /// The set of these integers; `None` if there are none, they lie more than 4,095 apart or
    /// beyond 2^56.
    #[must_use]
    pub fn new(values: impl IntoIterator<Item = i64>) -> Option<Domain> {
        let values: Vec<i64> = values.into_iter().collect();
        let (least, most) = (*values.iter().min()?, *values.iter().max()?);
        let span = most.checked_sub(least)? as u64;
        if span >= MAX_SPAN || least < -MAX_VALUE || most > MAX_VALUE {
            return None;
        }
        let mut words = vec![0; span as usize / 64 + 1];
        for value in values {
            let bit = (value - least) as usize;
            words[bit / 64] |= 1 << (bit % 64);
        }
        Some(Domain {
            offset: least,
            words,
        })
    }
}
