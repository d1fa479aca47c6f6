//! Transitive effects of methods, including all callees. Each method has a bit set, so the effects
//! of shared callees are computed once.

use heapwright_jvm::{ClassId, MethodId, Vm};
use rustc_hash::FxHashMap;

use super::is_synthetic;
use super::program::CallableCode;
use crate::parsed_texts::ParsedText;
use crate::sequences::analysis::effects::{Effects, FieldKey};

/// One effect of code.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
enum CodeEffect {
    Defines(FieldKey),
    Uses(FieldKey),
    StaticDefines(FieldKey),
    StaticUses(FieldKey),
    Stores(ClassId),
    Loads(ClassId),
    Casts(ClassId),
    Called(MethodId),
    Text(String),
    Parsed(ParsedText),
}

/// Effects of each method and all its callees.
pub(super) struct Closure {
    items: Vec<CodeEffect>,
    sets: FxHashMap<MethodId, Vec<u64>>,
}

impl Closure {
    /// Computes the effects of all methods analysed. Only instance fields in the system's state and
    /// static fields of its own code count.
    pub(super) fn of(vm: &mut Vm, program: &CallableCode) -> Closure {
        let order = program.bottom_up();
        let mut numbering = Numbering {
            vm,
            program,
            numbers: FxHashMap::default(),
            items: Vec::new(),
            is_own: FxHashMap::default(),
            is_state: FxHashMap::default(),
        };
        let own: Vec<Vec<u32>> = order.iter().map(|&method| numbering.own(method)).collect();
        let items = numbering.items;
        let words = items.len().div_ceil(64);
        let places: FxHashMap<MethodId, usize> =
            order.iter().copied().zip(0..).collect::<FxHashMap<_, _>>();
        let mut sets: Vec<Vec<u64>> = Vec::new();
        for own in &own {
            let mut set = vec![0; words];
            for &item in own {
                set[item as usize / 64] |= 1 << (item % 64);
            }
            sets.push(set);
        }
        // Callees precede callers except in cycles, which take further rounds to reach the fixed
        // point.
        let mut changes = true;
        while std::mem::take(&mut changes) {
            for (place, method) in order.iter().enumerate() {
                let mut set = std::mem::take(&mut sets[place]);
                let callees = program.callees.get(method).into_iter().flatten();
                for callee in callees.filter_map(|callee| places.get(callee)) {
                    for (word, other) in set.iter_mut().zip(&sets[*callee]) {
                        changes |= *other & !*word != 0;
                        *word |= other;
                    }
                }
                sets[place] = set;
            }
        }
        Closure {
            items,
            sets: order.into_iter().zip(sets).collect(),
        }
    }

    /// Adds the effects of the given methods.
    pub(super) fn add(&self, methods: &[MethodId], effects: &mut Effects) {
        let mut all = vec![0; self.items.len().div_ceil(64)];
        for set in methods.iter().filter_map(|method| self.sets.get(method)) {
            for (word, other) in all.iter_mut().zip(set) {
                *word |= other;
            }
        }
        for (item, number) in self.items.iter().zip(0..) {
            let number: usize = number;
            if all[number / 64] & 1 << (number % 64) != 0 {
                item.add_to(effects);
            }
        }
    }
}

impl CodeEffect {
    fn add_to(&self, effects: &mut Effects) {
        match self {
            CodeEffect::Defines(field) => drop(effects.defines.insert(*field)),
            CodeEffect::Uses(field) => drop(effects.uses.insert(*field)),
            CodeEffect::StaticDefines(field) => drop(effects.static_defines.insert(*field)),
            CodeEffect::StaticUses(field) => drop(effects.static_uses.insert(*field)),
            CodeEffect::Stores(class) => drop(effects.stores.insert(*class)),
            CodeEffect::Loads(class) => drop(effects.loads.insert(*class)),
            CodeEffect::Casts(class) => drop(effects.casts.insert(*class)),
            CodeEffect::Called(method) => drop(effects.called.insert(*method)),
            CodeEffect::Text(text) => drop(effects.texts.insert(text.clone())),
            CodeEffect::Parsed(text) => drop(effects.parsed.insert(text.clone())),
        }
    }
}

/// Numbers the effects of methods without their callees.
struct Numbering<'a> {
    vm: &'a mut Vm,
    program: &'a CallableCode,
    numbers: FxHashMap<CodeEffect, u32>,
    items: Vec<CodeEffect>,
    is_own: FxHashMap<ClassId, bool>,
    is_state: FxHashMap<ClassId, bool>,
}

impl Numbering<'_> {
    /// Returns the numbers of a method's own effects.
    fn own(&mut self, method: MethodId) -> Vec<u32> {
        let program = self.program;
        let Some(code) = program.codes.get(&method) else {
            return Vec::new();
        };
        let (effects, mut items) = (&code.effects, Vec::new());
        let made = code.made.iter();
        let made: Vec<FieldKey> = made.flat_map(|&class| fields_of(self.vm, class)).collect();
        for &field in effects.defines.iter().chain(&made) {
            items.extend(self.is_state(field).then_some(CodeEffect::Defines(field)));
        }
        for &field in &effects.uses {
            items.extend(self.is_state(field).then_some(CodeEffect::Uses(field)));
        }
        let held = program.held_changes.get(&method).into_iter().flatten();
        for &field in effects.static_defines.iter().chain(held) {
            let is_own = self.is_own_field(field);
            items.extend(is_own.then_some(CodeEffect::StaticDefines(field)));
        }
        for &field in &effects.static_uses {
            let is_own = self.is_own_field(field);
            items.extend(is_own.then_some(CodeEffect::StaticUses(field)));
        }
        items.extend(effects.stores.iter().copied().map(CodeEffect::Stores));
        items.extend(effects.loads.iter().copied().map(CodeEffect::Loads));
        // Casts, calls and strings matter only in the system's own code.
        if self.is_own(self.vm.method(method).class) {
            items.extend(effects.casts.iter().copied().map(CodeEffect::Casts));
            items.extend(effects.called.iter().copied().map(CodeEffect::Called));
            items.extend(effects.texts.iter().cloned().map(CodeEffect::Text));
            items.extend(effects.parsed.iter().cloned().map(CodeEffect::Parsed));
        }
        items.into_iter().map(|item| self.number(item)).collect()
    }

    fn number(&mut self, item: CodeEffect) -> u32 {
        if let Some(&known) = self.numbers.get(&item) {
            return known;
        }
        let next = self.items.len() as u32;
        self.items.push(item.clone());
        self.numbers.insert(item, next);
        next
    }

    fn is_own(&mut self, class: ClassId) -> bool {
        let (vm, program) = (&*self.vm, self.program);
        let known = self.is_own.entry(class);
        *known.or_insert_with(|| program.is_own(vm, class))
    }

    fn is_own_field(&mut self, field: FieldKey) -> bool {
        self.is_own(field.class) && !is_synthetic(self.vm, field)
    }

    fn is_state(&mut self, field: FieldKey) -> bool {
        let (vm, program) = (&*self.vm, self.program);
        let known = self.is_state.entry(field.class);
        *known.or_insert_with(|| program.is_state(vm, field.class)) && !is_synthetic(vm, field)
    }
}

/// Returns the instance fields of a class's objects, including inherited ones.
pub(super) fn fields_of(vm: &Vm, class: ClassId) -> impl Iterator<Item = FieldKey> {
    let above = vm.class(class).display.iter();
    above.flat_map(move |&class| {
        let own = vm.class(class).fields.iter();
        let own = own.filter(|field| !field.is_static());
        own.map(move |field| FieldKey {
            class,
            name: field.name,
        })
    })
}
