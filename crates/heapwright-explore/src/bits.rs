//! Bit strings, lowest bit first, and variable-length codes of numbers in them.

/// Growing bit string.
#[derive(Default)]
pub struct BitWriter {
    bytes: Vec<u8>,
    word: u64,
    used: u32,
}

impl BitWriter {
    /// Empties the string.
    pub fn clear(&mut self) {
        self.bytes.clear();
        self.word = 0;
        self.used = 0;
    }

    /// Appends the lowest `width` bits of `value`, at most 32; the bits above must be 0.
    #[inline]
    pub fn put(&mut self, value: u32, width: u32) {
        debug_assert!(width == 32 || width < 32 && value >> width == 0);
        self.word |= u64::from(value) << self.used;
        self.used += width;
        if self.used >= 32 {
            self.bytes
                .extend_from_slice(&(self.word as u32).to_le_bytes());
            self.word >>= 32;
            self.used -= 32;
        }
    }

    /// Appends a number; those from 0 to 15 take 5 bits.
    #[inline]
    pub fn put_int(&mut self, value: i32) {
        match value {
            0..=15 => self.put((value as u32) << 1, 5),
            -128..=127 => self.put((value as u8 as u32) << 2 | 0b01, 10),
            _ => {
                self.put(0b11, 2);
                self.put(value as u32, 32);
            }
        }
    }

    /// Appends a 64-bit number; one in the range of an int takes one bit more than as an int.
    pub fn put_long(&mut self, value: i64) {
        if let Ok(small) = i32::try_from(value) {
            self.put(0, 1);
            self.put_int(small);
        } else {
            self.put(1, 1);
            self.put(value as u32, 32);
            self.put((value >> 32) as u32, 32);
        }
    }

    /// Pads the string to a whole byte; returns its length in bytes.
    pub fn align(&mut self) -> usize {
        while self.used > 0 {
            self.bytes.push(self.word as u8);
            self.word >>= 8;
            self.used = self.used.saturating_sub(8);
        }
        self.bytes.len()
    }

    /// Returns the bytes up to the last alignment.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }
}

/// Reader for the output of a [`BitWriter`]; zeros follow the end.
pub struct BitReader<'a> {
    bytes: &'a [u8],
    at: usize,
    word: u64,
    left: u32,
}

impl<'a> BitReader<'a> {
    /// Creates a reader at the first bit.
    pub fn new(bytes: &'a [u8]) -> BitReader<'a> {
        BitReader {
            bytes,
            at: 0,
            word: 0,
            left: 0,
        }
    }

    /// Reads the next `width` bits, at most 32.
    #[inline]
    pub fn take(&mut self, width: u32) -> u32 {
        while self.left < width {
            let byte = self.bytes.get(self.at).copied().unwrap_or(0);
            self.at += 1;
            self.word |= u64::from(byte) << self.left;
            self.left += 8;
        }
        let value = self.word & ((1 << width) - 1);
        self.word >>= width;
        self.left -= width;
        value as u32
    }

    /// Reads a number written by [`BitWriter::put_int`].
    #[inline]
    pub fn take_int(&mut self) -> i32 {
        if self.take(1) == 0 {
            self.take(4) as i32
        } else if self.take(1) == 0 {
            i32::from(self.take(8) as u8 as i8)
        } else {
            self.take(32) as i32
        }
    }

    /// Reads a number written by [`BitWriter::put_long`].
    pub fn take_long(&mut self) -> i64 {
        if self.take(1) == 0 {
            return i64::from(self.take_int());
        }
        let low = u64::from(self.take(32));
        (low | u64::from(self.take(32)) << 32) as i64
    }

    /// Advances to the next whole byte.
    pub fn align(&mut self) {
        self.at -= (self.left / 8) as usize;
        self.word = 0;
        self.left = 0;
    }
}

/// Number of bits of the numbers below `count`.
#[inline]
pub fn width_of(count: usize) -> u32 {
    usize::BITS - count.saturating_sub(1).leading_zeros()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_come_back() {
        let ints = [0, 1, 15, 16, 127, 128, -1, -128, -129, i32::MAX, i32::MIN];
        let longs = [0, -1, 1 << 31, i64::MAX, i64::MIN, -(1 << 31)];
        let mut writer = BitWriter::default();
        for int in ints {
            writer.put_int(int);
            writer.put(0b101, 3);
        }
        let half = writer.align();
        for long in longs {
            writer.put_long(long);
        }
        assert!(writer.align() > half);
        let mut reader = BitReader::new(writer.bytes());
        for int in ints {
            assert_eq!((reader.take_int(), reader.take(3)), (int, 0b101));
        }
        reader.align();
        for long in longs {
            assert_eq!(reader.take_long(), long);
        }
    }

    #[test]
    fn widths() {
        let widths = [0, 1, 2, 3, 4, 5, 256, 257].map(width_of);
        assert_eq!(widths, [0, 0, 1, 2, 2, 3, 8, 9]);
    }
}
