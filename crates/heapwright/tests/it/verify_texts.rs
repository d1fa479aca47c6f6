//! `heapwright verify` of strings of any length: facts about what methods of strings return decide
//! properties that no bound on lengths does.

use crate::verify::{refutes, summary};

/// Properties of `fixtures/src/verify/AnyLength.java`.
const PROPERTIES: [&str; 21] = [
    "holdsForSplit",
    "failsForSplit",
    "holdsForMatches",
    "failsForMatches",
    "holdsForGroups",
    "holdsForFind",
    "holdsForReplaceAll",
    "failsForReplaceFirst",
    "holdsForChars",
    "holdsForBytes",
    "holdsForJoin",
    "holdsForFormat",
    "failsForFormat",
    "holdsForUrls",
    "failsForUrls",
    "holdsForBuilders",
    "holdsForDigits",
    "holdsForNamesOfThreads",
    "failsForSanitizers",
    "failsForAssumedLengths",
    "failsForAssumedBranches",
];

#[test]
#[ignore = "long"]
fn properties_of_strings_of_any_length_have_verdicts() {
    for property in PROPERTIES {
        let class = "verify.AnyLength";
        if property.starts_with("fails") {
            refutes(class, &[property], &[]);
            continue;
        }
        let summary = summary(&[class, property]);
        assert_eq!(summary["verdict"], "true", "{property}: {summary}");
        // No search with bounds says so, but another one within the last bounds.
        let rounds = summary["rounds"].as_array().unwrap();
        let [.., bounded, unbounded] = &rounds[..] else {
            panic!("{property}: {summary}");
        };
        assert_eq!(
            bounded["scope"], unbounded["scope"],
            "{property}: {summary}"
        );
        assert_ne!(bounded["cut"], unbounded["cut"], "{property}: {summary}");
    }
}
