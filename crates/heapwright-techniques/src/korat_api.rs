//! The Java classes of Heapwright's own `korat.finitization` for the engine's class path, and a
//! class that compares values for `check`.
//!
//! Classes written for Korat state their bounds in a `fin…` method against this package. It comes
//! first on the class path, so they run unmodified whether or not Korat's jar is present. The
//! method runs on the engine and returns a `korat.finitization.impl.Finitization`, which only
//! records. It creates no object of the search, and does not check that fields exist. Two of its
//! methods are for the host:
//!
//! - `String describe()`: everything recorded, one record per line; the source of
//!   `korat.finitization.impl.Description` documents the format. Throws `IllegalArgumentException`,
//!   naming class and field, if no search is possible (an empty set of primitives, an array set
//!   without arrays).
//! - `Object[] addedObjects(int)`: the objects that the user added to the class domain with that
//!   number, in order, by the numbers of the last description.
//!
//! Invariant: these classes use no library classes except `Object`, `Class`, `String`,
//! `StringBuilder`, `Math`, the boxes and `ArrayList`.

include!(concat!(env!("OUT_DIR"), "/korat_api.rs"));

#[cfg(test)]
mod tests {
    use super::CLASSES;

    #[test]
    fn classes_are_sorted_class_files_of_java_17() {
        assert!(CLASSES.is_sorted_by(|(left, _), (right, _)| left < right));
        for (name, bytes) in CLASSES {
            let is_ours =
                ["korat/finitization/", "heapwright/"].map(|folder| name.starts_with(folder));
            assert!(is_ours.contains(&true), "{name}");
            assert_eq!(bytes[..4], [0xca, 0xfe, 0xba, 0xbe], "{name}");
            assert_eq!(u16::from_be_bytes([bytes[6], bytes[7]]), 61, "{name}");
        }
    }

    #[test]
    fn classes_hold_what_user_code_names() {
        for name in [
            "korat/finitization/IFinitization",
            "korat/finitization/IObjSet",
            "korat/finitization/impl/Finitization",
            "korat/finitization/impl/FinitizationFactory",
        ] {
            assert!(CLASSES.iter().any(|(found, _)| *found == name), "{name}");
        }
    }
}
