//! What shells and `man` read: scripts of completions, and manual pages.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use heapwright_testkit::programs::installed;

use crate::common::{program, text};

fn completions(shell: &str) -> String {
    let output = program().args(["completions", shell]).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    text(&output.stdout)
}

/// What bash offers for the last of the words, which is not finished.
fn offered_by_bash(words: &[&str]) -> Vec<String> {
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let last = words.len() - 1;
    let script = format!(
        "{}\nCOMP_WORDS=({})\nCOMP_CWORD={last}\n\
         _heapwright heapwright \"${{COMP_WORDS[{last}]}}\" \"${{COMP_WORDS[{last} - 1]}}\"\n\
         printf '%s\\n' \"${{COMPREPLY[@]}}\"\n",
        completions("bash"),
        quoted.join(" "),
    );
    let mut bash = Command::new("bash")
        .args(["--noprofile", "--norc"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    bash.stdin
        .take()
        .unwrap()
        .write_all(script.as_bytes())
        .unwrap();
    let output = bash.wait_with_output().unwrap();
    assert!(output.status.success(), "{output:?}");
    text(&output.stdout).lines().map(str::to_owned).collect()
}

#[test]
fn bash_completes_verbs_options_and_values() {
    assert_eq!(offered_by_bash(&["heapwright", "chec"]), ["check"]);
    let options = offered_by_bash(&["heapwright", "check", "--inv"]);
    assert_eq!(options, ["--invariant"]);
    let values = offered_by_bash(&["heapwright", "generate", "--criterion", "b"]);
    assert_eq!(values, ["branches", "boundaries"]);
    let verbs = offered_by_bash(&["heapwright", "m"]);
    assert_eq!(verbs, ["measure", "merge", "mcp", "man"]);
}

#[test]
fn scripts_for_other_shells_complete_the_same_options() {
    for shell in ["zsh", "fish", "powershell", "elvish"] {
        let script = completions(shell);
        assert!(script.contains("invariant"), "{shell}");
        assert!(script.contains("time-per-class"), "{shell}");
    }
}

fn pages(folder: &Path) -> Vec<PathBuf> {
    let output = program().args(["man", "-o"]).arg(folder).output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let entries = std::fs::read_dir(folder).unwrap();
    let mut pages: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    pages.sort();
    pages
}

#[test]
#[ignore = "servers: mandoc"]
fn manual_pages_are_read_without_complaint() {
    let folder = tempfile::tempdir().unwrap();
    let pages = pages(folder.path());
    let names: Vec<&str> = pages
        .iter()
        .map(|page| page.file_name().unwrap().to_str().unwrap())
        .collect();
    for name in ["heapwright.1", "heapwright-check.1", "heapwright-mcp.1"] {
        assert!(names.contains(&name), "{names:?}");
    }
    let mandoc = installed(&["mandoc"], "mandoc", "tests read manual pages with mandoc");
    let lint = Command::new(&mandoc)
        .args(["-T", "lint", "-W", "error"])
        .args(&pages)
        .output();
    let lint = lint.unwrap();
    assert!(lint.status.success(), "{}", text(&lint.stdout));
    let page = folder.path().join("heapwright-check.1");
    let shown = Command::new(&mandoc)
        .args(["-T", "utf8"])
        .arg(page)
        .output()
        .unwrap();
    let shown = text(&shown.stdout);
    let words: Vec<&str> = shown.split_whitespace().collect();
    let shown = words.join(" ");
    let help = "Boolean method that decides whether a structure is well-formed, or none";
    assert!(shown.contains(help), "{shown}");
}
