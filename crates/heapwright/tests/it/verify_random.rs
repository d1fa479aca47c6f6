//! Verdicts on random programs: of paths, of merged states, and of a JVM that runs all inputs.
//!
//! Set `HEAPWRIGHT_RANDOM` to `COUNT` or `COUNT,SEED` for other programs than the usual ones.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Command;

use heapwright_testkit::fixtures::{compile, verifiers};
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::random::Random;
use serde_json::Value;

use crate::common::{program, summary_of, text};

/// Number of programs, of those on strings, too.
const PROGRAMS: u64 = 40;
const PROGRAMS_ON_STRINGS: u64 = 14;
/// Domain of the numbers that a program takes.
const NUMBERS: std::ops::Range<i32> = -2..4;

#[test]
#[ignore = "long"]
fn random_programs_have_the_verdicts_of_all_their_runs() {
    have_the_verdicts_of_all_runs(false);
}

#[test]
#[ignore = "long"]
fn random_programs_on_strings_have_the_verdicts_of_all_their_runs() {
    have_the_verdicts_of_all_runs(true);
}

fn have_the_verdicts_of_all_runs(has_texts: bool) {
    let wanted = std::env::var("HEAPWRIGHT_RANDOM").unwrap_or_default();
    let mut wanted = wanted.split(',').map(|number| number.parse().ok());
    let usual = if has_texts {
        PROGRAMS_ON_STRINGS
    } else {
        PROGRAMS
    };
    let count = wanted.next().flatten().unwrap_or(usual);
    let seed = wanted.next().flatten().unwrap_or(1);
    let folder = tempfile::tempdir().unwrap();
    let mut sources = Vec::new();
    for number in seed..seed + count {
        let file = folder.path().join(format!("P{number}.java"));
        fs::write(&file, Writer::program(number, has_texts)).unwrap();
        sources.push(file);
    }
    let file = folder.path().join("AllRuns.java");
    fs::write(&file, ALL_RUNS).unwrap();
    sources.push(file);
    let (jdk, classes) = (&jdks()[0], folder.path().join("classes"));
    compile(jdk, &sources, &[verifiers()], &classes, &["-g", "-nowarn"]);
    let names: Vec<String> = (seed..seed + count)
        .map(|number| format!("P{number}"))
        .collect();
    let expected = verdicts_of_all_runs(&classes, &names);
    let mut wrong = Vec::new();
    for name in &names {
        for merge in ["never", "always", "auto"] {
            let verdict = verdict(&classes, name, merge);
            if verdict != expected[name] {
                wrong.push(format!(
                    "{name} --merge {merge}: {verdict}, not {}\n{}",
                    expected[name],
                    fs::read_to_string(folder.path().join(format!("{name}.java"))).unwrap()
                ));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    // A generator all of whose programs agree would prove nothing.
    let violated = expected.values().filter(|verdict| *verdict == "false");
    let violated = violated.count() as u64;
    assert!(
        (count / 8..=count - count / 8).contains(&violated),
        "{violated} of {count}"
    );
}

fn verdict(classes: &Path, name: &str, merge: &str) -> String {
    let options = ["--time-limit", "120s", "--merge", merge, name];
    let summary = verified(classes, &options);
    summary["verdict"].as_str().unwrap_or("none").to_owned()
}

/// Summary of the verification of a program by one worker.
pub fn verified(classes: &Path, options: &[&str]) -> Value {
    let mut command = program();
    command.args(["verify", "--json", "--jobs", "1", "-p"]);
    command.arg(classes).arg("--jdk").arg(&jdks()[0].home);
    summary_of(&command.args(options).output().unwrap())
}

fn verdicts_of_all_runs(classes: &Path, names: &[String]) -> BTreeMap<String, String> {
    let mut java = jdks()[0].java();
    java.args(["-ea", "-cp"]).arg(classes).arg("AllRuns");
    java.args([NUMBERS.start.to_string(), NUMBERS.end.to_string()]);
    printed_of(java.args(names))
}

/// Runs a program that prints a name and what is said of it in each line.
pub fn printed_of(java: &mut Command) -> BTreeMap<String, String> {
    let output = java.output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    let lines = printed.lines().map(|line| line.split_once(' ').unwrap());
    lines
        .map(|(name, said)| (name.to_owned(), said.to_owned()))
        .collect()
}

/// Program that runs others on all inputs, and prints whether an assertion fails.
const ALL_RUNS: &str = r#"
public class AllRuns {
    // All texts of at most two of the characters that the programs take.
    private static final String[] TEXTS = {
        "", "a", "B", "1", " ", "aa", "aB", "a1", "a ", "Ba", "BB", "B1", "B ",
        "1a", "1B", "11", "1 ", " a", " B", " 1", "  ",
    };

    public static void main(String[] args) throws Exception {
        int from = Integer.parseInt(args[0]), to = Integer.parseInt(args[1]);
        for (int place = 2; place < args.length; place++) {
            var run = Class.forName(args[place])
                    .getMethod("run", int.class, int.class, boolean.class, String.class);
            boolean holds = true;
            for (int a = from; a < to; a++) {
                for (int b = from; b < to; b++) {
                    for (String text : TEXTS) {
                        holds &= holds(run, a, b, false, text) && holds(run, a, b, true, text);
                    }
                }
            }
            System.out.println(args[place] + " " + holds);
        }
    }

    private static boolean holds(java.lang.reflect.Method run, int a, int b, boolean c, String text)
            throws IllegalAccessException {
        try {
            run.invoke(null, a, b, c, text);
            return true;
        } catch (java.lang.reflect.InvocationTargetException thrown) {
            return !(thrown.getCause() instanceof AssertionError);
        }
    }
}
"#;

/// Writer of a random program. All its loops end soon, and its inputs are few.
struct Writer {
    random: Random,
    text: String,
    indent: usize,
    /// Loops around the statement that is written.
    loops: usize,
    /// Numbered names so far.
    names: usize,
    /// Whether the method that is written is `run`, which may call the others.
    is_run: bool,
    /// Type of the method that is written, if it returns early.
    result: Option<&'static str>,
    /// Whether the program is about a string, too.
    has_texts: bool,
}

impl Writer {
    fn program(seed: u64, has_texts: bool) -> String {
        let mut writer = Writer {
            random: Random::new(seed),
            text: String::new(),
            indent: 0,
            loops: 0,
            names: 0,
            is_run: false,
            result: Some("int"),
            has_texts,
        };
        writer.line("import org.sosy_lab.sv_benchmarks.Verifier;");
        writer.open(&format!("public class P{seed} implements Cloneable"));
        writer.line("static int g;");
        writer.line("static long w;");
        writer.line("int f, h;");
        writer.line(&format!("P{seed} next;"));
        writer.line(&format!("P{seed}(int f) {{ this.f = f; }}"));
        writer.open(&format!("P{seed} copy()"));
        writer.line(&format!(
            "try {{ return (P{seed}) clone(); }} catch (CloneNotSupportedException e) {{ return null; }}"
        ));
        writer.close();
        writer.open("static int first(int x, int y)");
        writer.line("boolean z = x == y;");
        writer.declarations(seed);
        writer.block(2);
        writer.returned();
        writer.close();
        writer.result = Some("boolean");
        writer.open("static boolean second(int x, int y)");
        writer.line("boolean z = g < 0;");
        writer.declarations(seed);
        writer.block(1);
        let condition = writer.condition(2);
        writer.line(&format!("return {condition};"));
        writer.close();
        writer.result = None;
        writer.is_run = true;
        writer.open("public static void run(int x, int y, boolean z, String s)");
        writer.line("g = 0;");
        writer.line("w = 0;");
        writer.declarations(seed);
        if has_texts {
            writer.line("String t = \"a1\";");
            writer.line("StringBuilder r = new StringBuilder();");
            writer.line("var n = new java.util.ArrayList<String>();");
            writer.line("var k = new java.util.HashMap<String, Integer>();");
        }
        if has_texts {
            writer.block(1);
            writer.block(1);
        }
        writer.block(if has_texts { 1 } else { 3 });
        if has_texts {
            writer.line("u += t.length() + 7 * s.length() + r.length() + 3 * n.size() + k.size();");
            writer.line("v += r.toString().equals(t) ? 3 : 0;");
            writer.line("for (int i = 0; i < t.length() && i < 3; i++) u += 5 * t.charAt(i);");
        }
        let sum = "x + 3 * y + 5 * u + 7 * v + p.f + 2 * q.f + p.h + g + (int) w + m[0] + 3 * m[1] + m[2]";
        let rare = writer.random.below(24) as i32 - 8;
        writer.line(&format!("assert ({sum}) % 97 != {rare};"));
        writer.close();
        writer.open("public static void main(String[] args)");
        let (from, to) = (NUMBERS.start, NUMBERS.end);
        for name in ["x", "y"] {
            writer.line(&format!("int {name} = Verifier.nondetInt();"));
            writer.line(&format!(
                "Verifier.assume({from} <= {name} && {name} < {to});"
            ));
        }
        writer.line("boolean z = Verifier.nondetBoolean();");
        match has_texts {
            true => {
                writer.line("String s = Verifier.nondetString();");
                writer.line("Verifier.assume(s.length() <= 2);");
                writer.open("for (int i = 0; i < s.length(); i++)");
                writer.line("char c = s.charAt(i);");
                writer.line("Verifier.assume(c == 'a' || c == 'B' || c == '1' || c == ' ');");
                writer.close();
                writer.line("run(x, y, z, s);");
            }
            false => writer.line("run(x, y, z, \"\");"),
        }
        writer.close();
        writer.close();
        writer.text
    }

    fn line(&mut self, line: &str) {
        let indent = 4 * self.indent;
        writeln!(self.text, "{:indent$}{line}", "").unwrap();
    }

    fn open(&mut self, head: &str) {
        self.line(&format!("{head} {{"));
        self.indent += 1;
    }

    fn close(&mut self) {
        self.indent -= 1;
        self.line("}");
    }

    fn declarations(&mut self, seed: u64) {
        self.line("int u = 1, v = x;");
        self.line(&format!("P{seed} p = new P{seed}(y), q = new P{seed}(2);"));
        self.line("p.next = q;");
        self.line("int[] m = new int[] {x, 0, 4};");
        self.line(&format!("P{seed}[] o = {{p, q, new P{seed}(x)}};"));
    }

    /// Some statements, nested at most so deep.
    fn block(&mut self, depth: u64) {
        for _ in 0..1 + self.random.below(3) {
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: u64) {
        if self.has_texts && self.is_run && self.random.below(2) == 0 {
            return self.text_statement();
        }
        match self.random.below(if depth == 0 { 6 } else { 17 }) {
            0 | 1 => {
                let (target, value) = (self.target(), self.number(2));
                self.line(&format!("{target} = {value};"));
            }
            2 => {
                let (target, value) = (self.target(), self.number(1));
                let operator = self.one_of(&["+=", "-=", "^=", "|="]);
                self.line(&format!("{target} {operator} {value};"));
            }
            3 => {
                let value = self.condition(2);
                self.line(&format!("z = {value};"));
            }
            4 => {
                let line = self.one_of(&[
                    "p = q;",
                    "q = p.next == null ? q : p.next;",
                    "p = z ? p : q;",
                    "q.next = p;",
                    "p = p.copy();",
                    "p.next = q.next == null ? p : q.next.next;",
                    "u += p.next == null ? 3 : p.next.f;",
                    "o[u & 1] = z ? p : q.copy();",
                    "w += x - (long) u;",
                    "w = w << (y & 7) ^ v;",
                ]);
                self.line(&line);
            }
            5 => {
                let (target, value) = (self.target(), self.number(1));
                let kind = self.one_of(&["byte", "short", "char"]);
                self.line(&format!("{target} = ({kind}) ({value} * 300);"));
            }
            6..=9 => {
                let condition = self.condition(2);
                self.open(&format!("if ({condition})"));
                self.block(depth - 1);
                if self.random.below(2) == 0 {
                    self.close();
                    self.open("else");
                    self.block(depth - 1);
                }
                self.close();
            }
            10 | 11 if self.loops < 2 => {
                let (name, most) = (self.names, self.number(1));
                self.names += 1;
                self.loops += 1;
                let variable = format!("i{name}");
                self.open(&format!(
                    "for (int {variable} = 0; {variable} < ({most} & 3); {variable}++)"
                ));
                self.block(depth - 1);
                if self.random.below(2) == 0 {
                    let condition = self.condition(1);
                    let jump = self.one_of(&["break", "continue"]);
                    self.line(&format!("if ({condition}) {jump};"));
                    self.block(0);
                }
                self.close();
                self.loops -= 1;
            }
            12 => {
                let selector = self.number(1);
                let through = self.random.below(2) == 0;
                self.open(&format!("switch ({selector})"));
                for case in ["case 0:", "case 1: case 3:", "default:"] {
                    self.line(case);
                    self.block(depth - 1);
                    if !through {
                        self.line("break;");
                    }
                }
                self.close();
            }
            13 => {
                self.open("try");
                self.block(depth - 1);
                let (condition, index) = (self.condition(1), self.number(1));
                self.line(&format!("if ({condition}) u += m[{index}];"));
                self.close();
                let name = self.names;
                self.names += 1;
                self.open(&format!(
                    "catch (ArrayIndexOutOfBoundsException | ArithmeticException e{name})"
                ));
                self.block(depth - 1);
                self.close();
            }
            14 => {
                let condition = self.condition(1);
                self.open(&format!("if ({condition})"));
                match self.is_run {
                    true => {
                        let limit = self.number(1);
                        self.line(&format!(
                            "if (u + v == {limit}) throw new IllegalStateException();"
                        ));
                    }
                    false => self.line("if (u == v) throw new ArithmeticException();"),
                }
                self.close();
            }
            15 => {
                let (name, wanted) = (self.names, self.number(1));
                self.names += 1;
                let variable = format!("i{name}");
                self.open(&format!(
                    "for (int {variable} = 0; {variable} < o.length; {variable}++)"
                ));
                let then = match self.result {
                    Some("int") => format!("return {variable} + u;"),
                    Some(_) => "return z;".to_owned(),
                    None => format!("{{ p = o[{variable}]; break; }}"),
                };
                self.line(&format!("if (o[{variable}].f == {wanted}) {then}"));
                self.close();
            }
            _ => self.statement(0),
        }
    }

    fn text_statement(&mut self) {
        let text = self.text();
        let line = match self.random.below(10) {
            0..=3 => format!("if (t.length() < 6) t = {text};"),
            4 => format!("if (r.length() < 6) r.append({text});"),
            5 => self.one_of(&[
                "r.reverse();",
                "r.append(x);",
                "r.append(z);",
                "r.append('B');",
                "r.insert(0, y);",
                "r.setLength(r.length() / 2);",
                "if (r.length() > 0) r.deleteCharAt(r.length() - 1);",
            ]),
            6 => format!("n.add({text});"),
            7 => format!("k.put({text}, {});", self.number(0)),
            8 => self.one_of(&[
                "n.remove(s);",
                "if (!n.isEmpty()) t = n.get(n.size() - 1);",
                "u += k.getOrDefault(s, 4);",
                "k.remove(t);",
                "java.util.Collections.sort(n);",
            ]),
            _ => {
                let parsed = self.one_of(&["Integer.parseInt", "(int) Long.parseLong"]);
                format!(
                    "try {{ u = {parsed}({text}); }} catch (NumberFormatException f) {{ v++; }}"
                )
            }
        };
        self.line(&line);
    }

    /// Expression of a string.
    fn text(&mut self) -> String {
        let from = self.one_of(&["s", "s", "t"]);
        match self.random.below(9) {
            0 | 1 => from,
            2 => format!(
                "{from}.{}()",
                self.one_of(&["trim", "toUpperCase", "toLowerCase", "strip"])
            ),
            3 => format!(
                "{from}.replace('{}', '{}')",
                self.one_of(&["a", "1"]),
                self.one_of(&["B", "c"])
            ),
            4 => format!("{from} + {}", self.one_of(&["t", "x", "'a'", "z", "\"1\""])),
            5 => format!("({from}.isEmpty() ? {from} : {from}.substring(1))"),
            6 => format!("{from}.concat(t)"),
            7 => self.one_of(&[
                "String.valueOf(y)",
                "Integer.toString(x)",
                "Integer.toString(y, 2)",
                "(\"\" + (x - 7L))",
                "r.toString()",
            ]),
            _ => format!("{from}.replace(\"{}\", t)", self.one_of(&["a", "B1", ""])),
        }
    }

    fn text_condition(&mut self) -> String {
        let (one, other) = (self.one_of(&["s", "t"]), self.text());
        match self.random.below(8) {
            0 | 1 => format!("{one}.equals({other})"),
            2 => format!(
                "{one}.{}({other})",
                self.one_of(&["startsWith", "endsWith", "contains"])
            ),
            3 => format!(
                "{one}.indexOf({}) > 0",
                self.one_of(&["'a'", "\"1\"", "t", "'B', 1"])
            ),
            4 => format!("{one}.compareTo({other}) < {}", self.number(0)),
            5 => format!("{one}.equalsIgnoreCase({other})"),
            6 => self.one_of(&[
                "n.contains(s)",
                "k.containsKey(t)",
                "s.isBlank()",
                "t.isEmpty()",
            ]),
            _ => format!(
                "{one}.length() > 1 && {one}.charAt(1) == {}",
                self.one_of(&["'a'", "'1'", "(char) (x + 'a')"])
            ),
        }
    }

    fn returned(&mut self) {
        let (condition, early, late) = (self.condition(2), self.number(1), self.number(2));
        self.line(&format!("if ({condition}) return {early};"));
        self.line(&format!("return {late};"));
    }

    /// Place to which a number can be assigned.
    fn target(&mut self) -> String {
        self.one_of(&[
            "u", "v", "x", "y", "g", "p.f", "q.f", "p.h", "m[1]", "m[u & 1]", "m[2]",
        ])
    }

    fn number(&mut self, depth: u64) -> String {
        if depth == 0 {
            return match self.random.below(3) {
                0 => (self.random.below(9) as i32 - 3).to_string(),
                1 => self.one_of(&["x", "y"]),
                _ => self.one_of(&[
                    "u", "v", "g", "p.f", "q.f", "p.h", "m[0]", "m[1]", "(int) w",
                ]),
            };
        }
        match self.random.below(10) {
            0 => self.number(0),
            1 => {
                let (condition, one, other) = (
                    self.condition(depth - 1),
                    self.number(depth - 1),
                    self.number(depth - 1),
                );
                format!("({condition} ? {one} : {other})")
            }
            2 if self.is_run => {
                let (one, other) = (self.number(depth - 1), self.number(depth - 1));
                format!("first({one}, {other})")
            }
            3 => {
                let divisor = self.one_of(&["2", "3", "5", "(v & 3)"]);
                let (operator, value) = (self.one_of(&["/", "%"]), self.number(depth - 1));
                format!("({value} {operator} {divisor})")
            }
            4 => {
                let (operator, value) = (self.one_of(&["<<", ">>", ">>>"]), self.number(depth - 1));
                let by = self.random.below(3);
                format!("({value} {operator} {by})")
            }
            5 => format!(
                "Math.{}({}, {})",
                self.one_of(&["min", "max"]),
                self.number(depth - 1),
                self.number(0)
            ),
            6 => {
                let factor = self.random.below(7) as i32 - 2;
                format!("({} * {factor})", self.number(depth - 1))
            }
            _ => {
                let operator = self.one_of(&["+", "-", "&", "|", "^"]);
                let (one, other) = (self.number(depth - 1), self.number(depth - 1));
                format!("({one} {operator} {other})")
            }
        }
    }

    fn condition(&mut self, depth: u64) -> String {
        if self.has_texts && self.is_run && self.random.below(3) == 0 {
            return format!("({})", self.text_condition());
        }
        if depth == 0 {
            let operator = self.one_of(&["<", "<=", "==", "!=", ">"]);
            return format!("{} {operator} {}", self.number(0), self.number(0));
        }
        match self.random.below(8) {
            0 => "z".to_owned(),
            1 => format!("!({})", self.condition(depth - 1)),
            2 => format!(
                "({} && {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            3 => format!(
                "({} || {})",
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            4 => self.one_of(&["p == q", "p.next == q", "q.next == null", "w < 9L"]),
            5 if self.is_run => {
                let (one, other) = (self.number(0), self.number(0));
                format!("second({one}, {other})")
            }
            _ => {
                let operator = self.one_of(&["<", "<=", "==", "!=", ">"]);
                format!("{} {operator} {}", self.number(1), self.number(depth - 1))
            }
        }
    }

    fn one_of(&mut self, texts: &[&str]) -> String {
        texts[self.random.below(texts.len() as u64) as usize].to_owned()
    }
}
