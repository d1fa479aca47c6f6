//! Paths over strings: every short string takes exactly one, with the outcome of a run.

use crate::common::inputs::{Input, Path, Target, Value, ints};
use crate::common::machine;

const SOURCE: &str = r#"
class Strings {
    static int length(String a) { return a.length() > 1 ? a.length() : a.isEmpty() ? -1 : 1; }
    static int charAt(String a, int b) { return a.charAt(b) == '1' ? 1 : a.charAt(0); }
    static int equals(String a) { return "ab".equals(a) ? 1 : "".equals(a) ? 2 : 3; }
    static int same(String a, String b) { return a.equals(b) ? a.length() : -1; }
    static int starts(String a) {
        if (a.startsWith("a1")) return a.endsWith("b") ? 1 : 2;
        return a.startsWith("b", 1) ? 3 : 4;
    }
    static int index(String a, int b) {
        int at = a.indexOf('b', b);
        return at > 1 ? at : at < 0 ? a.lastIndexOf("1") : 9;
    }
    static int contains(String a) { return a.contains("1b") ? 1 : a.indexOf("a") ; }
    static int part(String a, int b) {
        String part = a.substring(b);
        return part.equals("b1") ? 1 : part.length();
    }
    static int between(String a) { return a.substring(1, 2).equals("b") ? 1 : 0; }
    static int joined(String a) {
        String b = a + "-" + a.length();
        return b.equals("1-1") ? 1 : b.length();
    }
    static int built(String a) {
        StringBuilder b = new StringBuilder();
        for (int i = a.length() - 1; i >= 0; i--) b.append(a.charAt(i));
        return b.toString().equals(a) ? 1 : 0;
    }
    static int parsed(String a) {
        try {
            return Integer.parseInt(a);
        } catch (NumberFormatException e) {
            return a.length() + 1000;
        }
    }
    static int matched(String a) { return a.matches("[ab]+1?") ? 1 : a.matches("-?1*") ? 2 : 3; }
    static int switched(String a) {
        switch (a) {
            case "a": return 1;
            case "b1": return 2;
            case "": return 3;
            default: return 4;
        }
    }
    static int compared(String a) { return Integer.signum(a.compareTo("b")); }
    static int trimmed(String a) { return a.trim().length() - a.length(); }
    static int replaced(String a) { return a.replace('a', 'b').equals("bb") ? 1 : 0; }
    static int raised(String a) { return a.length() == 1 && a.toUpperCase().equals("B") ? 1 : 0; }
    static int hashed(String a) { return a.hashCode() == 97 ? 1 : 0; }
    static boolean isDigit(String a) {
        return a.length() == 1 && Character.isDigit(a.charAt(0));
    }
    static int wide(String a) { return a.length() == 1 && a.charAt(0) > 0xFF ? 1 : 0; }
}
"#;

/// All strings of these characters up to a length, and null.
fn texts(alphabet: &[char], most: usize) -> Vec<Option<String>> {
    let mut all = vec![String::new()];
    let mut longest = all.clone();
    for _ in 0..most {
        let longer = longest
            .iter()
            .flat_map(|text| alphabet.iter().map(move |letter| format!("{text}{letter}")));
        longest = longer.collect();
        all.extend(longest.iter().cloned());
    }
    let null = std::iter::once(None);
    null.chain(all.into_iter().map(Some)).collect()
}

fn inputs(texts: &[Option<String>]) -> Vec<Input> {
    texts
        .iter()
        .map(|text| Input::text(text.as_deref()))
        .collect()
}

fn with_numbers(texts: &[Option<String>], numbers: &[u64]) -> Vec<Input> {
    let pairs = inputs(texts).into_iter().flat_map(|input| {
        numbers.iter().map(move |&number| {
            let mut input = input.clone();
            input.roots.push(Value::Number(number));
            input
        })
    });
    pairs.collect()
}

fn check_all(methods: &[&str], inputs: &[Input]) -> Vec<Vec<Path>> {
    let mut vm = machine(SOURCE);
    let check = |method: &&str| {
        let mut target = Target::new(&mut vm, "Strings", method, &[]);
        target.bounds.length = 3;
        target.check(&mut vm, inputs)
    };
    methods.iter().map(check).collect()
}

fn short() -> Vec<Option<String>> {
    texts(&['a', 'b', '1', '-', '\u{e9}'], 3)
}

#[test]
fn lengths_and_characters_are_open() {
    let paths = check_all(&["length", "built"], &inputs(&short()));
    let lengths: Vec<&str> = paths[0].iter().map(|path| &*path.outcome).collect();
    assert_eq!(lengths.len(), 4, "null, empty, one, more: {lengths:?}");
    let numbers = ints([-1, 0, 1, 2, 3]);
    check_all(&["charAt"], &with_numbers(&short(), &numbers));
}

#[test]
fn comparisons_are_of_contents() {
    let paths = check_all(
        &["equals", "starts", "compared", "switched"],
        &inputs(&short()),
    );
    for outcome in ["1", "2", "3"] {
        let mut found = paths[0].iter();
        assert!(found.any(|path| path.outcome == outcome), "{:#?}", paths[0]);
    }
    let texts = texts(&['a', 'b'], 2);
    let pairs = texts.iter().flat_map(|first| {
        texts.iter().map(move |second| {
            let mut input = Input::text(first.as_deref());
            let value = input.string(second.as_deref());
            input.roots.push(value);
            input
        })
    });
    check_all(&["same"], &pairs.collect::<Vec<_>>());
}

#[test]
fn places_in_strings_are_found() {
    check_all(&["contains", "between"], &inputs(&short()));
    let numbers = ints([-1, 0, 1, 2, 3, 4]);
    check_all(&["index", "part"], &with_numbers(&short(), &numbers));
}

#[test]
fn strings_are_put_together() {
    check_all(&["joined", "trimmed"], &inputs(&short()));
}

#[test]
fn characters_are_exchanged() {
    let mut vm = machine(SOURCE);
    for method in ["replaced", "raised"] {
        let mut target = Target::new(&mut vm, "Strings", method, &[]);
        target.bounds.length = 2;
        target.check(
            &mut vm,
            &inputs(&texts(&['a', 'b', 'B', '\u{e9}', '\u{ff}'], 2)),
        );
    }
}

#[test]
fn numbers_are_parsed() {
    let texts = texts(&['0', '7', '-', '+', 'x'], 3);
    let paths = check_all(&["parsed"], &inputs(&texts));
    assert!(paths[0].len() > 4, "{:#?}", paths[0]);
}

#[test]
fn patterns_are_matched() {
    check_all(&["matched", "isDigit"], &inputs(&short()));
}

#[test]
fn hashes_are_those_of_the_characters() {
    let paths = check_all(&["hashed"], &inputs(&short()));
    let mut found = paths[0].iter().filter(|path| path.outcome == "1");
    assert!(found.any(|path| *path.model.as_ref().unwrap() == Input::text(Some("a"))));
}

/// Only on request do strings have characters past Latin-1.
#[test]
fn wide_characters_are_there_on_request() {
    let mut vm = machine(SOURCE);
    let texts = texts(&['a', '\u{e9}', '\u{20ac}'], 2);
    for utf16 in [false, true] {
        let mut target = Target::new(&mut vm, "Strings", "wide", &[]);
        target.bounds.utf16 = utf16;
        let mut inputs = inputs(&texts);
        if !utf16 {
            inputs.retain(|input| !format!("{input:?}").contains("8364"));
        }
        let paths = target.check(&mut vm, &inputs);
        let is_wide = |path: &Path| path.outcome == "1";
        assert_eq!(paths.iter().any(is_wide), utf16, "{paths:#?}");
    }
}
