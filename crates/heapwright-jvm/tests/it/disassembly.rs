//! Register code of small methods as text, before they run and after their references are
//! resolved.

use expect_test::{Expect, expect};
use heapwright_jvm::{Exit, Plain, Ref, Vm};

use crate::common;

struct Bench {
    vm: Vm,
    object: Ref,
}

impl Bench {
    /// Creates a machine with or without the optimisation passes.
    fn new(optimize: bool) -> Bench {
        let classes = common::fixture(&["Small.java"]).classes();
        let mut vm = common::machine(&common::jdks()[0], &classes, |config| {
            config.optimize = optimize;
        });
        let class = vm.load_class("Small").unwrap();
        vm.initialize_now(class).unwrap();
        let words = vm.class(class).instance_words;
        let object = vm.heap.allocate(class, words, false).unwrap();
        Bench { vm, object }
    }

    /// Compares the code of a method with the expected text, as translated and after its runs.
    /// Positions and numbers are masked.
    fn check(&mut self, method: &str, runs: &[&[u64]], before: Expect, after: Expect) {
        let method = common::method(&mut self.vm, "Small", method);
        for (index, arguments) in runs.iter().enumerate() {
            self.vm.call(method, arguments).unwrap();
            if index == 0 {
                before.assert_eq(&self.text(method));
            }
            let exit = self.vm.run(&mut Plain);
            assert!(matches!(exit, Exit::Done(_)), "{exit:?}");
        }
        after.assert_eq(&self.text(method));
    }

    fn text(&self, method: heapwright_jvm::MethodId) -> String {
        let mut text = String::new();
        for line in self.vm.disassemble(method).lines() {
            let mut rest = line.trim_start();
            for part in [
                "index: ", "class: ", "method: ", "site: ", "at: ", "object: ", "cell: ", "table: ",
            ] {
                if let Some((head, tail)) = rest.split_once(part) {
                    text.push_str(head);
                    text.push_str(part);
                    text.push('#');
                    rest = tail.trim_start_matches(|digit: char| digit.is_ascii_digit());
                }
            }
            text.push_str(rest);
            text.push('\n');
        }
        text
    }
}

#[test]
fn a_loop_over_an_array_after_the_passes() {
    let mut bench = Bench::new(true);
    let ints = bench.vm.load_class("[I").unwrap();
    let array = bench.vm.heap.allocate_array(ints, 3, 4, false).unwrap();
    let arguments = [bench.object.slot(), array.slot(), 5];
    bench.check(
        "add",
        &[&arguments],
        expect![[r#"
        0     1  Move { d: 3, a: 1 }
        1     3  ArrayLength { d: 4, a: 3 }
        2     6  Int { d: 5, value: 0 }
        3    13  IfICmpGe { a: 5, b: 4, to: 8 }
        4    19  IntLoad { d: 6, a: 3, b: 5 }
        5    25  IfICmpLt { a: 6, b: 2, to: 4 }
        6    30  GetFieldPending { d: 8, a: 0, index: # }
        7    35  IAdd { d: 8, a: 8, b: 6 }
        8    36  PutFieldPending { a: 0, b: 8, index: # }
        9    39  IAddConst { d: 5, a: 5, value: 1 }
        10    42  Goto { to: -7 }
        11    46  GetFieldPending { d: 7, a: 0, index: # }
        12    49  Return { a: 7 }
    "#]],
        expect![[r#"
        0     1  Move { d: 3, a: 1 }
        1     3  ArrayLength { d: 4, a: 3 }
        2     6  Int { d: 5, value: 0 }
        3    13  IfICmpGe { a: 5, b: 4, to: 8 }
        4    19  IntLoad { d: 6, a: 3, b: 5 }
        5    25  IfICmpLt { a: 6, b: 2, to: 4 }
        6    30  GetFieldPending { d: 8, a: 0, index: # }
        7    35  IAdd { d: 8, a: 8, b: 6 }
        8    36  PutFieldPending { a: 0, b: 8, index: # }
        9    39  IAddConst { d: 5, a: 5, value: 1 }
        10    42  Goto { to: -7 }
        11    46  GetField { d: 7, a: 0, word: 1 }
        12    49  Return { a: 7 }
    "#]],
    );
}

#[test]
fn a_loop_over_an_array() {
    let mut bench = Bench::new(false);
    let ints = bench.vm.load_class("[I").unwrap();
    let array = bench.vm.heap.allocate_array(ints, 3, 4, false).unwrap();
    bench.vm.heap.store32(bench.vm.heap.elements(array), 9);
    let arguments = [bench.object.slot(), array.slot(), 5];
    bench.check(
        "add",
        &[&arguments],
        expect![[r#"
        0     0  Move { d: 7, a: 1 }
        1     1  Move { d: 3, a: 7 }
        2     2  Move { d: 7, a: 3 }
        3     3  ArrayLength { d: 7, a: 7 }
        4     4  Move { d: 4, a: 7 }
        5     6  Int { d: 7, value: 0 }
        6     7  Move { d: 5, a: 7 }
        7     9  Move { d: 7, a: 5 }
        8    11  Move { d: 8, a: 4 }
        9    13  IfICmpGe { a: 7, b: 8, to: 16 }
        10    16  Move { d: 7, a: 3 }
        11    17  Move { d: 8, a: 5 }
        12    19  IntLoad { d: 7, a: 7, b: 8 }
        13    20  Move { d: 6, a: 7 }
        14    22  Move { d: 7, a: 6 }
        15    24  Move { d: 8, a: 2 }
        16    25  IfICmpLt { a: 7, b: 8, to: 7 }
        17    28  Move { d: 7, a: 0 }
        18    29  Move { d: 8, a: 7 }
        19    30  GetFieldPending { d: 8, a: 8, index: # }
        20    33  Move { d: 9, a: 6 }
        21    35  IAdd { d: 8, a: 8, b: 9 }
        22    36  PutFieldPending { a: 7, b: 8, index: # }
        23    39  IAddConst { d: 5, a: 5, value: 1 }
        24    42  Goto { to: -17 }
        25    45  Move { d: 7, a: 0 }
        26    46  GetFieldPending { d: 7, a: 7, index: # }
        27    49  Return { a: 7 }
    "#]],
        expect![[r#"
        0     0  Move { d: 7, a: 1 }
        1     1  Move { d: 3, a: 7 }
        2     2  Move { d: 7, a: 3 }
        3     3  ArrayLength { d: 7, a: 7 }
        4     4  Move { d: 4, a: 7 }
        5     6  Int { d: 7, value: 0 }
        6     7  Move { d: 5, a: 7 }
        7     9  Move { d: 7, a: 5 }
        8    11  Move { d: 8, a: 4 }
        9    13  IfICmpGe { a: 7, b: 8, to: 16 }
        10    16  Move { d: 7, a: 3 }
        11    17  Move { d: 8, a: 5 }
        12    19  IntLoad { d: 7, a: 7, b: 8 }
        13    20  Move { d: 6, a: 7 }
        14    22  Move { d: 7, a: 6 }
        15    24  Move { d: 8, a: 2 }
        16    25  IfICmpLt { a: 7, b: 8, to: 7 }
        17    28  Move { d: 7, a: 0 }
        18    29  Move { d: 8, a: 7 }
        19    30  GetField { d: 8, a: 8, word: 1 }
        20    33  Move { d: 9, a: 6 }
        21    35  IAdd { d: 8, a: 8, b: 9 }
        22    36  PutField { a: 7, b: 8, word: 1 }
        23    39  IAddConst { d: 5, a: 5, value: 1 }
        24    42  Goto { to: -17 }
        25    45  Move { d: 7, a: 0 }
        26    46  GetField { d: 7, a: 7, word: 1 }
        27    49  Return { a: 7 }
    "#]],
    );
}

#[test]
fn longs_and_statics() {
    let mut bench = Bench::new(false);
    bench.check(
        "twice",
        &[&[21, 0]],
        expect![[r#"
            0     0  Move { d: 2, a: 0 }
            1     1  Int { d: 4, value: 2 }
            2     4  LMul { d: 2, a: 2, b: 4 }
            3     5  PutStaticPending { a: 2, index: # }
            4     8  GetStaticPending { d: 2, index: # }
            5    11  Return { a: 2 }
    "#]],
        expect![[r#"
            0     0  Move { d: 2, a: 0 }
            1     1  Int { d: 4, value: 2 }
            2     4  LMul { d: 2, a: 2, b: 4 }
            3     5  PutStatic { a: 2, at: # }
            4     8  GetStaticChecked { d: 2, site: # }
            5    11  Return { a: 2 }
    "#]],
    );
}

#[test]
fn literals_classes_calls_and_a_switch() {
    let mut bench = Bench::new(false);
    let object = bench.object.slot();
    bench.check(
        "pick",
        &[&[object, 0], &[object, 1], &[object, 1000], &[object, 2]],
        expect![[r#"
            0     0  Move { d: 3, a: 1 }
            1     1  Switch { a: 3, table: # }
            2    36  LdcPending { d: 3, index: # }
            3    38  Return { a: 3 }
            4    39  NewPending { d: 3, index: # }
            5    42  Move { d: 4, a: 3 }
            6    43  InvokePending { a: 4, index: #, call: Special }
            7    46  Return { a: 3 }
            8    47  Int { d: 3, value: 0 }
            9    48  CheckCastPending { a: 3, index: # }
            10    51  Return { a: 3 }
            11    52  Move { d: 3, a: 0 }
            12    53  GetFieldPending { d: 3, a: 3, index: # }
            13    56  LdcPending { d: 4, index: # }
            14    58  InvokePending { a: 3, index: #, call: Virtual }
            15    61  Return { a: 3 }
            16    62  Move { d: 2, a: 3 }
            17    63  Move { d: 3, a: 2 }
            18    64  Return { a: 3 }
        "#]],
        expect![[r#"
            0     0  Move { d: 3, a: 1 }
            1     1  Switch { a: 3, table: # }
            2    36  Object { d: 3, object: # }
            3    38  Return { a: 3 }
            4    39  New { d: 3, class: # }  // Small
            5    42  Move { d: 4, a: 3 }
            6    43  InvokeSpecial { a: 4, method: # }  // Small.<init>()
            7    46  Return { a: 3 }
            8    47  Int { d: 3, value: 0 }
            9    48  CheckCastPending { a: 3, index: # }
            10    51  Return { a: 3 }
            11    52  Move { d: 3, a: 0 }
            12    53  GetField { d: 3, a: 3, word: 2 }
            13    56  Object { d: 4, object: # }
            14    58  InvokeVirtual { a: 3, method: # }  // java.lang.String.concat(java.lang.String)
            15    61  Return { a: 3 }
            16    62  Move { d: 2, a: 3 }
            17    63  Move { d: 3, a: 2 }
            18    64  Return { a: 3 }
        "#]],
    );
}
