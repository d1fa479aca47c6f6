//! Hints for error messages: the nearest existing names, and possible remedies.

use heapwright_explore::symbolic::{SolverError, SymbolicError};
use heapwright_jvm::Vm;
use heapwright_jvm::classpath::ClassPath;
use heapwright_techniques::Error;
use heapwright_techniques::mutation::{is_all_marked, made_by_tools};
use heapwright_techniques::target::INVARIANT_NAMES;

/// Maximum number of names suggested.
const MOST: usize = 3;

/// Names of classes on the class path nearest to `wanted`, as the end of a message.
pub fn nearest_classes(vm: &Vm, wanted: &str) -> String {
    nearest_of(&[vm.class_path()], wanted)
}

/// Names of classes nearest to `wanted` on the first of these class paths that has any near it, as the end
/// of a message.
pub fn nearest_of(class_paths: &[&ClassPath], wanted: &str) -> String {
    let mut nearest = class_paths.iter().map(|class_path| {
        let names = class_path.class_names().into_iter();
        let names: Vec<String> = names.map(|name| name.replace('/', ".")).collect();
        suggest(wanted, &names)
    });
    let found = nearest.find(|nearest| !nearest.is_empty());
    found.unwrap_or_default()
}

/// Nearest of `names` to `wanted`, as the end of a message; empty if none is near.
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

/// Adds to an error a hint at the user's likely intention.
pub fn explain(vm: &Vm, error: Error) -> anyhow::Error {
    let hint = match &error {
        Error::ClassNotFound(name) => nearest_classes(vm, name),
        Error::Setting {
            wanted, candidates, ..
        } => suggest(wanted, candidates),
        Error::MethodNotFound {
            name, candidates, ..
        } if *name == INVARIANT_NAMES.join(", ") => {
            let other = "; --invariant names a method that is called otherwise, or none for a class that has none";
            match candidates.is_empty() {
                true => other.to_owned(),
                false => format!("{other}: it has {}", candidates.join(", ")),
            }
        }
        Error::MethodNotFound { candidates, .. } if candidates.is_empty() => String::new(),
        Error::MethodNotFound { candidates, .. } => format!("; it has {}", candidates.join(", ")),
        _ => String::new(),
    };
    anyhow::anyhow!("{error}{hint}")
}

/// Explains an error as [`explain`] does, with a remedy if the solver cannot be used.
pub fn explain_run(vm: &Vm, error: Error) -> anyhow::Error {
    let hint = match &error {
        Error::Symbolic(SymbolicError::Solver(SolverError::NamedLibrary { .. })) => {
            "; let it name the library of Z3 4.13 or later (libz3.so), or unset it"
        }
        _ => "",
    };
    anyhow::anyhow!("{}{hint}", explain(vm, error))
}

/// Explains why there are no methods to run.
pub fn nothing_to_run(vm: &mut Vm, class: &str) -> String {
    let known = vm.load_class(&class.replace('.', "/")).ok();
    if let Some(known) = known
        && is_all_marked(vm, known)
    {
        return format!(
            "nothing to run: an annotation marks the methods of {class} as generated; -m names others"
        );
    }
    if known.is_some_and(|class| !made_by_tools(vm, class).is_empty()) {
        return format!(
            "nothing to run: a tool made the methods of {class}; --boilerplate tests them, too"
        );
    }
    match known.is_some_and(|class| vm.class(class).is_abstract()) {
        true => format!(
            "nothing to run: {class} is abstract and has no public static methods: name a subclass"
        ),
        false => format!("nothing to run: {class} has no public methods; -m names others"),
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
