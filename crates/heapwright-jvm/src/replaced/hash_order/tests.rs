//! Methods of the library that read the tables of hash maps: each is known to look at their order, or
//! not to.

use std::collections::BTreeSet;

use heapwright_testkit::jdk::all_jdks;

use crate::listing::ListedOperation;
use crate::replaced::{Intrinsic, REPLACED};
use crate::{Config, Jdk, Vm};

/// Classes whose code can read the tables.
const CLASSES: [&str; 20] = [
    "HashMap",
    "HashMap$TreeNode",
    "HashMap$KeySet",
    "HashMap$Values",
    "HashMap$EntrySet",
    "HashMap$HashIterator",
    "HashMap$HashMapSpliterator",
    "HashMap$KeySpliterator",
    "HashMap$ValueSpliterator",
    "HashMap$EntrySpliterator",
    "LinkedHashMap",
    "IdentityHashMap",
    "IdentityHashMap$IdentityHashMapIterator",
    "IdentityHashMap$KeySet",
    "IdentityHashMap$Values",
    "IdentityHashMap$EntrySet",
    "IdentityHashMap$IdentityHashMapSpliterator",
    "IdentityHashMap$KeySpliterator",
    "IdentityHashMap$ValueSpliterator",
    "IdentityHashMap$EntrySpliterator",
];

/// Methods that read a table in which the order of its entries does not matter: they look for a key,
/// look for any entry, or move entries to where the next search finds them. An iterator or spliterator
/// was noted when it was made, or is by its other methods.
const WITHOUT_ORDER: &[&str] = &[
    "HashMap.capacity",
    "HashMap.clear",
    "HashMap.compute",
    "HashMap.computeIfAbsent",
    "HashMap.getNode",
    "HashMap.merge",
    "HashMap.putMapEntries",
    "HashMap.putVal",
    "HashMap.removeNode",
    "HashMap.resize",
    "HashMap$HashIterator.nextNode",
    "HashMap$HashMapSpliterator.getFence",
    "IdentityHashMap.clear",
    "IdentityHashMap.clone",
    "IdentityHashMap.closeDeletion",
    "IdentityHashMap.containsKey",
    "IdentityHashMap.containsMapping",
    "IdentityHashMap.containsValue",
    "IdentityHashMap.equals",
    "IdentityHashMap.get",
    "IdentityHashMap.hashCode",
    "IdentityHashMap.put",
    "IdentityHashMap.putForCreate",
    "IdentityHashMap.remove",
    "IdentityHashMap.removeMapping",
    "IdentityHashMap.replace",
    "IdentityHashMap.resize",
    "IdentityHashMap$IdentityHashMapIterator.remove",
    "IdentityHashMap$IdentityHashMapSpliterator.getFence",
];

#[test]
fn each_method_that_reads_a_table_is_known() {
    for found in all_jdks() {
        let jdk = Jdk::at(&found.home).unwrap();
        let mut vm = Vm::new(Config::new(jdk, Vec::new())).unwrap();
        let (mut readers, mut hooked) = (BTreeSet::new(), BTreeSet::new());
        for name in CLASSES {
            let class = vm.load_class(&format!("java/util/{name}")).unwrap();
            for &method in &vm.class(class).methods.clone() {
                let full = format!("{name}.{}", vm.text(vm.method(method).name));
                if matches!(vm.method(method).replaced, Some(Intrinsic::Hashed(_))) {
                    hooked.insert(full);
                    continue;
                }
                let Ok(listing) = vm.listing(method) else {
                    continue;
                };
                let reads = listing
                    .instructions
                    .iter()
                    .any(|listed| match &listed.step {
                        ListedOperation::GetField(member, _) => {
                            let owner = member.class.as_str();
                            let is_map = ["java/util/HashMap", "java/util/IdentityHashMap"];
                            member.name == "table" && is_map.contains(&owner)
                        }
                        _ => false,
                    });
                if reads {
                    readers.insert(full);
                }
            }
        }
        let known: BTreeSet<String> = WITHOUT_ORDER.iter().map(|name| name.to_string()).collect();
        let unknown: Vec<&String> = readers.difference(&known).collect();
        let home = found.home.display();
        assert!(unknown.is_empty(), "{home}: {unknown:?}");
        let hooks = REPLACED
            .iter()
            .filter(|entry| matches!(entry.3, Intrinsic::Hashed(_)) && entry.0 != "java/lang/Enum");
        assert_eq!(hooked.len(), hooks.count(), "{hooked:?}");
    }
}
