//! Paths of arithmetic on numbers: every input takes exactly one, with the outcome of a run.

use heapwright_jvm::{Config, Jdk, Vm};
use heapwright_testkit::assembly::class_file;
use heapwright_testkit::jdk::jdks;

use crate::common::inputs::{Input, Path, Target, doubles, ints, is_followed, longs, product};
use crate::common::machine;

const SOURCE: &str = "
class Numbers {
    static int sum(int a, int b) {
        int c = a + b;
        if (a > 0 && b > 0 && c < 0) return 1;
        if (a < 0 && b < 0 && c >= 0) return 2;
        return c == 0 ? 3 : c;
    }
    static int product(int a, int b) {
        int c = a * 3;
        if (c / 3 != a) return 1;
        return c - b > 0 ? c : b;
    }
    static int quotient(int a, int b) {
        int q = a / b, r = a % b;
        if (r < 0) return q;
        return q < r ? 1 : r;
    }
    static int shifts(int a, int b) {
        int x = a << b, y = a >> b, z = a >>> b;
        if (y != z) return x;
        return x == a ? y : z ^ 1;
    }
    static int narrow(int a) {
        byte x = (byte) a;
        short y = (short) a;
        char z = (char) a;
        if (x == a) return 1;
        if (y < 0 && z > 40000) return x;
        return y == z ? 2 : 3;
    }
    static int sign(int a) {
        if (-a == a) return a == 0 ? 0 : 1;
        return Math.abs(a) < 10 ? Integer.signum(a) : a >>> 31;
    }
    static int bytes(byte a) {
        int x = a & 0x0F;
        if (x == 3) return a >> 4;
        if (a * a > 10000) return ~a;
        return (a ^ 0x55) < 0 ? 1 : a | 0x40;
    }
    static long wide(long a, long b) {
        long c = a + b;
        if ((a ^ c) < 0 && (b ^ c) < 0) return -1;
        if (a > b) return c << 3;
        return (int) a == a ? c >>> 60 : c;
    }
    static long parts(long a, int b) {
        long c = a >> b;
        if (c == 0) return a >>> b;
        return c / b < 0 ? a % b : a << b;
    }
    static int order(double a, double b) {
        if (a < b) return 1;
        if (a > b) return 2;
        return a == b ? 3 : 4;
    }
    static int zeros(double a) {
        if (a == 0) return 1 / a > 0 ? 1 : 2;
        if (a != a) return 3;
        return a * 0 == 0 ? 4 : 5;
    }
    static int rounded(double a) {
        int i = (int) a;
        long l = (long) a;
        if (i == l) return i == a ? 1 : 2;
        return i > 0 ? 3 : 4;
    }
    static int floats(float a) {
        float b = a + 1;
        if (b == a) return 1;
        return b > 2 ? 2 : (int) a;
    }
    static int multiple(int a, int b) {
        if (a < b) {
            int swapped = a;
            a = b;
            b = swapped;
        }
        int divisor = divisor(a, b);
        try {
            return size(a * b) / divisor;
        } catch (ArithmeticException byZero) {
            return -1;
        }
    }
    static int divisor(int a, int b) {
        while (b != 0) {
            int rest = a % b;
            a = b;
            b = rest;
        }
        return size(a);
    }
    static int size(int a) { return a >= 0 ? a : -a; }
    static boolean logic(boolean a, boolean b, boolean c) { return a ? b & c : b ^ !c; }
}";

fn check(method: &str, inputs: &[Input]) -> Vec<Path> {
    let mut vm = machine(SOURCE);
    let target = Target::new(&mut vm, "Numbers", method, &[]);
    target.check(&mut vm, inputs)
}

/// Integers at which behaviours change.
fn edges() -> Vec<u64> {
    let (least, most) = (i32::MIN, i32::MAX);
    let small = -3..=3;
    let large = [
        least,
        least + 1,
        most - 1,
        most,
        most / 3 + 1,
        -31,
        31,
        32,
        33,
        64,
    ];
    let narrow = [
        127, 128, -128, -129, 255, 256, 32767, 32768, 40001, 65535, 65536,
    ];
    ints(small.chain(large).chain(narrow))
}

fn wide_edges() -> Vec<u64> {
    let ints = [i64::from(i32::MIN), i64::from(i32::MAX), 1 << 31, 1 << 40];
    let ends = [i64::MIN, i64::MIN + 1, i64::MAX, i64::MAX - 1];
    longs((-2..=3).chain(ints).chain(ends))
}

fn outcomes(paths: &[Path]) -> Vec<&str> {
    let mut outcomes: Vec<&str> = paths.iter().map(|path| &*path.outcome).collect();
    outcomes.sort_unstable();
    outcomes.dedup();
    outcomes
}

#[test]
fn sums_overflow() {
    let paths = check("sum", &product(&[&edges(), &edges()]));
    let found = outcomes(&paths);
    assert!(
        ["1", "2", "3"].iter().all(|value| found.contains(value)),
        "{paths:#?}"
    );
    let paths = check("product", &product(&[&edges(), &edges()]));
    assert!(outcomes(&paths).contains(&"1"), "{paths:#?}");
    assert_eq!(paths.len(), 3);
}

#[test]
fn division_by_zero_is_a_path() {
    let paths = check(
        "quotient",
        &product(&[&edges(), &ints([0, 1, -1, 3, i32::MIN])]),
    );
    let found = outcomes(&paths);
    assert!(
        found.contains(&"throws java.lang.ArithmeticException"),
        "{paths:#?}"
    );
}

#[test]
fn distances_of_shifts_wrap() {
    let distances = ints([-33, -1, 0, 1, 5, 31, 32, 33]);
    check("shifts", &product(&[&edges(), &distances]));
    check(
        "parts",
        &product(&[&wide_edges(), &ints([-64, -1, 0, 1, 33, 63, 64, 65])]),
    );
}

#[test]
fn conversions_cut_bits_off() {
    let paths = check("narrow", &product(&[&edges()]));
    assert_eq!(paths.len(), 4, "{paths:#?}");
}

#[test]
fn the_least_integer_is_its_own_negation() {
    let paths = check("sign", &product(&[&edges()]));
    let least = ints([i32::MIN])[0];
    let own = paths
        .iter()
        .find(|path| path.outcome == "1" && path.model == Some(Input::of(&[least])));
    assert!(own.is_some(), "{paths:#?}");
}

#[test]
fn every_byte_takes_one_path() {
    check("bytes", &product(&[&ints(-128..128)]));
}

#[test]
fn every_triple_of_booleans_takes_one_path() {
    let both = ints([0, 1]);
    check("logic", &product(&[&both, &both, &both]));
}

#[test]
fn longs_are_wide() {
    check("wide", &product(&[&wide_edges(), &wide_edges()]));
}

#[test]
fn comparisons_with_nan_fail() {
    let values = doubles([
        f64::NAN,
        f64::INFINITY,
        -0.0,
        0.0,
        1.5,
        -1.5,
        f64::MIN_POSITIVE,
    ]);
    let paths = check("order", &product(&[&values, &values]));
    assert_eq!(outcomes(&paths), ["1", "2", "3", "4"]);
}

#[test]
fn doubles_have_two_zeros_and_infinities() {
    let special = [
        f64::NAN,
        f64::INFINITY,
        f64::NEG_INFINITY,
        -0.0,
        0.0,
        5e-324,
    ];
    let plain = [
        1.0,
        -1.5,
        2_147_483_647.0,
        2_147_483_648.0,
        -3e9,
        0.99,
        1e300,
    ];
    let values = doubles(special.into_iter().chain(plain));
    let paths = check("zeros", &product(&[&values]));
    assert_eq!(outcomes(&paths), ["1", "2", "3", "4", "5"]);
    let paths = check("rounded", &product(&[&values]));
    assert_eq!(outcomes(&paths), ["1", "2", "3", "4"]);
}

#[test]
fn floats_are_rounded() {
    let values = [
        f32::NAN,
        0.0,
        -0.5,
        1.0,
        1.5,
        16_777_216.0,
        -3.4e38,
        f32::INFINITY,
    ];
    let bits: Vec<u64> = values.map(|value: f32| value.to_bits().into()).to_vec();
    let paths = check("floats", &product(&[&bits]));
    assert!(outcomes(&paths).contains(&"1"), "{paths:#?}");
}

/// The test cases of the paper on guided test-case generation (Albert et al., examples 1 and 5):
/// nine if the loop's test runs at most twice, over unbounded integers. Java's integers add two
/// cases, where the product of positive numbers is negative.
#[test]
fn integers_without_bounds_have_the_papers_cases() {
    let mut vm = machine(SOURCE);
    for (is_unbounded, cases) in [(true, 9), (false, 11)] {
        let mut target = Target::new(&mut vm, "Numbers", "multiple", &[]).loops(1);
        target.bounds.unbounded = is_unbounded;
        let paths = match is_unbounded {
            true => target.paths(&mut vm),
            false => target.check(&mut vm, &product(&[&ints(-9..9), &ints(-9..9)])),
        };
        let followed = paths.iter().filter(|path| is_followed(&path.outcome));
        assert_eq!(followed.count(), cases, "{paths:#?}");
    }
}

/// Machine with the one method of an assembled class.
fn assembled(head: &str, body: &str) -> Vm {
    let folder = tempfile::tempdir().unwrap();
    let bytes = class_file(
        49,
        0x21,
        "Assembled",
        "java/lang/Object",
        Some((head, body)),
    );
    std::fs::write(folder.path().join("Assembled.class"), bytes).unwrap();
    let jdk = Jdk::find(Some(&jdks()[0].home)).unwrap();
    let mut vm = Vm::new(Config::new(jdk, vec![folder.path().to_owned()])).unwrap();
    vm.load_class("Assembled").unwrap();
    vm
}

/// The two comparisons of doubles differ in NaN alone.
#[test]
fn both_comparisons_of_doubles_have_their_own_nan() {
    let values = doubles([f64::NAN, -0.0, 0.0, 1.0, f64::INFINITY]);
    for (comparison, nan) in [("dcmpl", "-1"), ("dcmpg", "1")] {
        let body = format!("dload_0\ndload_2\n{comparison}\nireturn");
        let mut vm = assembled("static m (DD)I 4 4", &body);
        let target = Target::new(&mut vm, "Assembled", "m", &[]);
        target.check(&mut vm, &product(&[&values, &values]));
        let not_equal = Input::of(&[f64::NAN.to_bits(), 0]);
        assert_eq!(target.run(&mut vm, &not_equal), nan);
    }
}

/// A loop with two entries, which no compiler of Java writes.
#[test]
fn a_loop_with_two_entries_has_the_paths_of_its_runs() {
    let body = "iconst_0
        istore_1
        iload_0
        iconst_2
        irem
        ifeq inside
        head:
        iinc 1 10
        inside:
        iinc 1 1
        iinc 0 -1
        iload_0
        ifgt head
        iload_1
        ireturn";
    let mut vm = assembled("static m (I)I 2 2", body);
    for merges in [false, true] {
        let mut target = Target::new(&mut vm, "Assembled", "m", &[]).loops(5);
        target.merges = merges;
        let paths = target.check(&mut vm, &product(&[&ints(-3..12)]));
        assert!(outcomes(&paths).contains(&"Bounded(Loops)"), "{paths:#?}");
    }
}
