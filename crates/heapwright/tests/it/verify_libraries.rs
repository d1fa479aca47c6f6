//! `heapwright verify` on programs that ask for their inputs by the libraries of other tools.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;

use expect_test::expect;
use heapwright_testkit::fixtures::{files, verifiers};
use heapwright_testkit::jars;
use heapwright_testkit::jdk::{compilers, jdks};
use heapwright_testkit::junit::join;
use serde_json::json;

use crate::common::text;
use crate::verify::{classes, prints, refutes, summary};

/// Methods of libraries, by name and descriptor, that a program calls or a class declares.
type Methods = BTreeSet<(String, String)>;

fn javap(arguments: &[&str], classes: &[PathBuf]) -> String {
    let home = compilers().swap_remove(0).home;
    let output = Command::new(home.join("bin").join("javap"))
        .args(arguments)
        .args(classes)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    text(&output.stdout)
}

/// Public methods of a class file.
fn declared(class: &Path) -> Methods {
    let listing = javap(&["-public", "-s"], &[class.to_owned()]);
    let lines: Vec<&str> = listing.lines().collect();
    lines
        .windows(2)
        .filter(|pair| pair[0].starts_with("  public static") && pair[0].contains('('))
        .map(|pair| {
            let before = pair[0].split_once('(').unwrap().0;
            let name = before.rsplit(' ').next().unwrap().to_owned();
            let descriptor = pair[1].trim().strip_prefix("descriptor: ").unwrap();
            (name, descriptor.to_owned())
        })
        .collect()
}

/// Methods of a class, by its name with slashes, that are called in a listing.
fn called(listing: &str, library: &str) -> Methods {
    let calls = listing.lines().filter_map(|line| {
        let call = line.split_once(&format!("// Method {library}."))?.1;
        let (name, descriptor) = call.trim().split_once(':')?;
        Some((name.to_owned(), descriptor.to_owned()))
    });
    calls.collect()
}

#[test]
fn fixtures_call_every_method_of_the_libraries() {
    let listing = javap(&["-p", "-c"], &files(Path::new(classes()), "class"));
    for library in [
        "gov/nasa/jpf/vm/Verify",
        "gov/nasa/jpf/symbc/Debug",
        "org/cprover/CProver",
        "org/cprover/CProverString",
        "org/sosy_lab/sv_benchmarks/Verifier",
        "tools/aqua/concolic/Verifier",
        "za/ac/sun/cs/coastal/Symbolic",
    ] {
        let declared = declared(&verifiers().join(format!("{library}.class")));
        assert!(declared.len() > 8, "{library}: {declared:?}");
        let called = called(&listing, library);
        let missing: Vec<_> = declared.difference(&called).collect();
        assert!(missing.is_empty(), "{library}: {missing:?}");
    }
}

#[test]
fn counterexamples_hold_on_a_real_machine() {
    for (class, arguments) in [
        ("verify.JpfChoices", &[][..]),
        ("verify.JpfOlder", &[]),
        ("verify.SpfInputs", &["inputs"]),
        ("verify.SpfInputs", &["added"]),
        ("verify.SpfInputs", &["objects"]),
        ("verify.Prover", &["inputs"]),
        ("verify.Prover", &["objects"]),
        ("verify.ProverTexts", &["outside"]),
        ("verify.Concolic", &[]),
        ("verify.Coastal", &[]),
    ] {
        refutes(class, arguments, &[]);
    }
}

#[test]
fn names_of_inputs_are_shown() {
    prints(
        &["verify.SpfInputs", "inputs"],
        1,
        &expect![[r#"
            false: assertions
              java.lang.AssertionError: all as expected
                at verify.SpfInputs.inputs():33
                at verify.SpfInputs.main(java.lang.String[]):88
              i = 5 at verify.SpfInputs.inputs():17
              l = 6L at verify.SpfInputs.inputs():18
              s = -7 at verify.SpfInputs.inputs():19
              b = 8 at verify.SpfInputs.inputs():20
              d = 0.5 at verify.SpfInputs.inputs():21
              z = true at verify.SpfInputs.inputs():22
              c = 'x' at verify.SpfInputs.inputs():23
              text = "yes" at verify.SpfInputs.inputs():24
              sized0 = 'a' at verify.SpfInputs.inputs():25
              sized1 = 'b' at verify.SpfInputs.inputs():25
            10 paths in 1 search; … s"#]],
    );
    let inputs = summary(&["verify.SpfInputs", "added"])["violation"]["inputs"].take();
    let names = inputs.as_array().unwrap().iter();
    let names: Vec<&str> = names.map(|input| input["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["i", "b", "c", "d", "z"]);
}

#[test]
fn what_libraries_promise_holds_for_all_inputs() {
    for (class, arguments) in [
        ("verify.JpfChoices", &["flips"][..]),
        ("verify.Prover", &["plain"]),
        ("verify.ProverTexts", &[]),
    ] {
        let verified = summary(&[&[class], arguments].concat());
        assert_eq!(verified["verdict"], "true", "{class}: {verified}");
    }
}

#[test]
fn methods_that_cannot_be_had_are_refused_by_name() {
    let jpf = [
        "getObject",
        "isShared",
        "terminateSearch",
        "createFromJSON",
        "writeObjectToFile",
        "readObjectFromFile",
        "setFieldAttribute",
        "getFieldAttribute",
        "addFieldAttribute",
        "getFieldAttributes",
        "setLocalAttribute",
        "getLocalAttribute",
        "addLocalAttribute",
        "getLocalAttributes",
        "setElementAttribute",
        "getElementAttribute",
        "addElementAttribute",
        "getElementAttributes",
        "setObjectAttribute",
        "getObjectAttribute",
        "addObjectAttribute",
        "getObjectAttributes",
    ];
    for method in jpf {
        refused("verify.JpfRefused", method, &[&format!("Verify.{method}(")]);
    }
    let timed = summary(&["--world", "fixed", "verify.JpfRefused", "currentTimeMillis"]);
    assert_eq!(timed["verdict"], "unknown", "{timed}");
    assert_eq!(timed["rounds"][0]["chances"], json!(["the clock"]));
    let trace = "storeTraceAndTerminate";
    refused("verify.JpfRefused", trace, &["Verify.terminateSearch("]);
    let prover = [
        "nondetWithNull",
        "nondetWithoutNull",
        "nondetWithNullForNotModelled",
        "nondetWithoutNullForNotModelled",
        "nondetPrintStream",
        "nondetBufferedInputStream",
        "notModelled",
        "startThread",
        "endThread",
        "getCurrentThreadId",
        "getMonitorCount",
    ];
    for method in prover {
        refused("verify.Prover", method, &[&format!("CProver.{method}(")]);
    }
    let measured = ["Debug.checkAccuracy(", "Debug.getLastMeasuredMetricValue("];
    refused("verify.SpfInputs", "texts", &measured);
}

/// Checks that a program is left unknown because these methods are refused.
fn refused(class: &str, argument: &str, methods: &[&str]) {
    let unknown = summary(&[class, argument]);
    assert_eq!(unknown["verdict"], "unknown", "{argument}: {unknown}");
    let reasons = unknown["rounds"][0]["refused"].as_object().unwrap();
    assert_eq!(reasons.len(), methods.len(), "{reasons:?}");
    for method in methods {
        let is_named = reasons.keys().any(|reason| reason.contains(method));
        assert!(is_named, "{method} is not in {reasons:?}");
    }
}

#[test]
#[ignore = "servers: JBMC's library"]
fn jbmcs_own_library_declares_and_does_the_same() {
    let [own] = jars::fetched("cprover", ["org.cprover.util:cprover-api:1.0.0"]);
    let unpacked = tempfile::tempdir().unwrap();
    let jar = Command::new(compilers()[0].home.join("bin").join("jar"))
        .current_dir(unpacked.path())
        .arg("xf")
        .arg(&own)
        .status()
        .unwrap();
    assert!(jar.success());
    for class in ["org/cprover/CProver", "org/cprover/CProverString"] {
        let file = format!("{class}.class");
        let real = declared(&unpacked.path().join(&file));
        assert!(real.len() > 20, "{real:?}");
        let ours = declared(&verifiers().join(&file));
        let missing: Vec<_> = real.difference(&ours).collect();
        assert!(missing.is_empty(), "{class}: {missing:?}");
    }
    let printed = |library: PathBuf| {
        let run = jdks()[0]
            .java()
            .arg("-cp")
            .arg(join(&[library, PathBuf::from(classes())]))
            .arg("verify.ProverCopies")
            .output()
            .unwrap();
        assert!(run.status.success(), "{run:?}");
        text(&run.stdout)
    };
    let ours = printed(verifiers());
    assert_eq!(ours, printed(own));
    assert_eq!(ours.lines().count(), 13, "{ours}");
}
