//! "Did you mean": the names nearest to one that was not found.

use heapwright_jvm::Vm;

/// Most names suggested.
const MOST: usize = 3;

/// The classes of the class path whose names are nearest to `wanted`, as the end of a message.
pub fn classes(vm: &Vm, wanted: &str) -> String {
    let names: Vec<String> = vm
        .class_path()
        .class_names()
        .into_iter()
        .map(|name| name.replace('/', "."))
        .collect();
    suggest(wanted, &names)
}

/// The nearest of `names` to `wanted`, as the end of a message; empty if none is near.
pub fn suggest(wanted: &str, names: &[String]) -> String {
    let simple = |name: &str| name.rsplit('.').next().unwrap_or(name).to_lowercase();
    let mut scored: Vec<(f64, &String)> = names
        .iter()
        .map(|name| {
            let whole = strsim::jaro_winkler(wanted, name);
            let short = strsim::jaro_winkler(&simple(wanted), &simple(name));
            (whole.max(short), name)
        })
        .filter(|(score, _)| *score > 0.8)
        .collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    let nearest: Vec<&str> = scored
        .iter()
        .take(MOST)
        .map(|(_, name)| name.as_str())
        .collect();
    if nearest.is_empty() {
        String::new()
    } else {
        format!("; did you mean {}?", nearest.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn suggests_by_simple_name_and_by_spelling() {
        let names = ["a.b.SearchTree", "a.b.Node", "z.Other"].map(str::to_owned);
        assert_eq!(
            suggest("SearchTree", &names),
            "; did you mean a.b.SearchTree?"
        );
        assert_eq!(
            suggest("a.b.SaerchTree", &names[..1]),
            "; did you mean a.b.SearchTree?"
        );
        assert_eq!(suggest("Qwxyz", &names), "");
    }
}
