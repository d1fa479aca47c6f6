//! Random numbers: SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number
//! Generators", OOPSLA 2014).

/// Generator of random numbers, the same ones for the same seed.
#[derive(Clone, Debug)]
pub(super) struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Returns the next number, of 64 random bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    /// Returns a number below a bound, which is at least 1.
    pub fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound.max(1) as u64) as usize
    }

    /// Returns true in `percent` of a hundred cases.
    pub fn is_likely(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// Returns one of some values; `None` if there are none.
    pub fn pick<'v, T>(&mut self, values: &'v [T]) -> Option<&'v T> {
        let number = self.below(values.len());
        values.get(number)
    }

    /// Returns a number from 0 to `most`, each half as likely as the one before.
    pub fn few(&mut self, most: usize) -> usize {
        (self.next().trailing_zeros() as usize).min(most)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_those_of_the_reference_implementation() {
        let mut random = Random::new(1_234_567);
        let told: Vec<u64> = (0..3).map(|_| random.next()).collect();
        let wanted = [
            6_457_827_717_110_365_317,
            3_203_168_211_198_807_973,
            9_817_491_932_198_370_423,
        ];
        assert_eq!(told, wanted);
    }
}
