//! Sets of integers within a bounded window.

/// Non-empty set of integers, as a bit vector with an offset.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Domain {
    /// Integer that bit 0 stands for.
    pub(crate) offset: i64,
    pub(crate) words: Vec<u64>,
}

/// Bound on the number of integers in a window.
const MAX_SPAN: u64 = 1 << 12;
/// Largest absolute value: sums of a few values fit into 64 bits.
const MAX_VALUE: i64 = 1 << 56;

impl Domain {
    /// Creates the set of these integers; `None` if there are none, they lie more than 4,095 apart,
    /// or exceed 2^56 in absolute value.
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
