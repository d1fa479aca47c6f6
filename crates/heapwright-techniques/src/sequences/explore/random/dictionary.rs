//! Dictionary: the numbers and strings in the code, of which values of arguments are made.

use std::collections::BTreeSet;

use heapwright_code::outermost_class_name;
use heapwright_jvm::descriptor::Kind;
use heapwright_jvm::listing::{ListedOperation, Listing};
use heapwright_jvm::{MethodId, Vm};

use super::numbers::Random;
use crate::sequences::goals::GoalTable;
use crate::sequences::plan::SearchPlan;

/// Maximum number of methods of other code that are read.
const METHODS: usize = 2_000;
/// Maximum numbers of constants of each kind.
const CONSTANTS: usize = 512;
/// Maximum length of a string.
const LENGTH: usize = 64;
/// Share of the constants of the code under test among those chosen, in percent.
const OWN: usize = 70;

/// Constants of one kind.
#[derive(Debug, Default)]
struct Constants<T> {
    /// Those in the code under test.
    own: Vec<T>,
    /// Those in other code of the program that sequences use.
    others: Vec<T>,
}

impl<T: Clone + PartialEq> Constants<T> {
    fn add(&mut self, constant: T, is_own: bool) {
        if self.own.contains(&constant) || self.others.contains(&constant) {
            return;
        }
        let known = match is_own {
            true => &mut self.own,
            false => &mut self.others,
        };
        if known.len() < CONSTANTS {
            known.push(constant);
        }
    }

    fn pick(&self, random: &mut Random) -> Option<T> {
        let (first, second) = match random.is_likely(OWN) {
            true => (&self.own, &self.others),
            false => (&self.others, &self.own),
        };
        let found = random.pick(first).or_else(|| random.pick(second));
        found.cloned()
    }
}

/// The dictionary.
#[derive(Debug, Default)]
pub(super) struct Dictionary {
    integers: Constants<i64>,
    fractions: Constants<u64>,
    texts: Constants<Vec<u16>>,
    units: Constants<u16>,
}

impl Dictionary {
    /// Reads the code under test, and the code of the classes whose members sequences use.
    pub fn of(vm: &Vm, goals: &GoalTable, plan: &SearchPlan) -> Dictionary {
        let mut dictionary = Dictionary::default();
        for listing in goals.listings.values() {
            dictionary.read(listing, true);
        }
        let mut classes = BTreeSet::new();
        for invokable in &plan.invokables {
            let method = invokable.kind.method();
            let class = method.map(|method| vm.method(method).class);
            if let Some(class) = class.filter(|&class| vm.is_app_class(class)) {
                classes.insert(outermost_class_name(vm.class_name(class)).to_owned());
            }
        }
        let mut methods: Vec<MethodId> = Vec::new();
        for class in vm.loaded_classes() {
            if vm.is_app_class(class)
                && classes.contains(outermost_class_name(vm.class_name(class)))
            {
                methods.extend(&vm.class(class).methods);
            }
        }
        methods.retain(|method| !goals.listings.contains_key(method));
        for &method in methods.iter().take(METHODS) {
            if let Ok(listing) = vm.listing(method) {
                dictionary.read(&listing, false);
            }
        }
        dictionary
    }

    fn read(&mut self, listing: &Listing, is_own: bool) {
        for listed in &listing.instructions {
            match &listed.step {
                ListedOperation::Number(Kind::Float, bits) => {
                    let number = f64::from(f32::from_bits(*bits as u32));
                    self.fractions.add(number.to_bits(), is_own);
                }
                ListedOperation::Number(Kind::Double, bits) => self.fractions.add(*bits, is_own),
                ListedOperation::Number(Kind::Long, bits) => self.add_integer(*bits as i64, is_own),
                ListedOperation::Number(_, bits) => {
                    self.add_integer(i64::from(*bits as u32 as i32), is_own);
                }
                ListedOperation::Switch(switch) => {
                    for &(key, _) in &switch.pairs {
                        self.add_integer(key.into(), is_own);
                    }
                }
                ListedOperation::Text(text) => self.add_text(text, is_own),
                _ => {}
            }
        }
    }

    fn add_integer(&mut self, number: i64, is_own: bool) {
        self.integers.add(number, is_own);
        if let Ok(unit) = u16::try_from(number) {
            self.units.add(unit, is_own);
        }
    }

    fn add_text(&mut self, text: &str, is_own: bool) {
        let units: Vec<u16> = text.encode_utf16().collect();
        if units.is_empty() || units.len() > LENGTH {
            return;
        }
        // The characters of short strings are separators and letters that the code looks for.
        if let [unit] | [unit, _] = units[..] {
            self.units.add(unit, is_own);
        }
        self.texts.add(units, is_own);
    }

    /// Returns an integer of the code.
    pub fn integer(&self, random: &mut Random) -> Option<i64> {
        self.integers.pick(random)
    }

    /// Returns the bits of a floating-point number of the code.
    pub fn fraction(&self, random: &mut Random) -> Option<u64> {
        self.fractions.pick(random)
    }

    /// Returns a string of the code.
    pub fn text(&self, random: &mut Random) -> Option<Vec<u16>> {
        self.texts.pick(random)
    }

    /// Returns a character that the code mentions.
    pub fn unit(&self, random: &mut Random) -> Option<u16> {
        self.units.pick(random)
    }
}
