//! All opcodes, and every truncation of each instruction.

use super::*;

/// Opcodes without operands that decode to themselves.
const PLAIN: [std::ops::RangeInclusive<u8>; 9] = [
    0..=1,     // nop, aconst_null
    9..=15,    // lconst_0 to dconst_1
    46..=53,   // iaload to saload
    79..=95,   // iastore to swap
    96..=131,  // iadd to lxor
    133..=152, // i2l to dcmpg
    172..=177, // ireturn to return
    190..=191, // arraylength, athrow
    194..=195, // monitorenter, monitorexit
];

/// Bytes of an instruction, and its expected decoding: opcode and both operands.
type Row = (Vec<u8>, (u8, i32, i32));

/// Returns at least one row for each opcode except the switches; branches target themselves.
fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for opcode in PLAIN.into_iter().flatten() {
        rows.push((vec![opcode], (opcode, 0, 0)));
    }
    // iconst_m1 to iconst_5.
    for value in -1..=5 {
        rows.push((vec![(value + 3) as u8], (op::BIPUSH, value, 0)));
    }
    rows.push((vec![16, 0x80], (op::BIPUSH, -128, 0)));
    rows.push((vec![16, 0x7F], (op::BIPUSH, 127, 0)));
    rows.push((vec![17, 0x80, 0], (op::BIPUSH, -32_768, 0)));
    rows.push((vec![17, 0x12, 0x34], (op::BIPUSH, 0x1234, 0)));
    rows.push((vec![18, 0xFF], (op::LDC, 255, 0)));
    rows.push((vec![19, 0xFF, 0xFE], (op::LDC, 0xFFFE, 0)));
    rows.push((vec![20, 1, 2], (op::LDC2_W, 0x102, 0)));
    // Loads and stores of the five kinds: with a byte, wide, and in short form.
    for kind in 0..5u8 {
        for (long, short) in [(21 + kind, 26 + 4 * kind), (54 + kind, 59 + 4 * kind)] {
            rows.push((vec![long, 200], (long, 200, 0)));
            rows.push((vec![196, long, 1, 2], (long, 0x102, 0)));
            for local in 0..4 {
                rows.push((vec![short + local], (long, i32::from(local), 0)));
            }
        }
    }
    rows.push((vec![132, 9, 0xFF], (op::IINC, 9, -1)));
    rows.push((vec![196, 132, 1, 0, 0x80, 0], (op::IINC, 256, -32_768)));
    rows.push((vec![169, 7], (op::RET, 7, 0)));
    rows.push((vec![196, 169, 0xFF, 0xFF], (op::RET, 65_535, 0)));
    for opcode in (153..=168).chain(198..=199) {
        rows.push((vec![opcode, 0, 0], (opcode, 0, 0)));
    }
    rows.push((vec![200, 0, 0, 0, 0], (op::GOTO, 0, 0)));
    rows.push((vec![201, 0, 0, 0, 0], (op::JSR, 0, 0)));
    for opcode in (178..=184).chain([187, 189, 192, 193]) {
        rows.push((vec![opcode, 0xAB, 0xCD], (opcode, 0xABCD, 0)));
    }
    rows.push((vec![185, 0, 5, 3, 0], (op::INVOKEINTERFACE, 5, 3)));
    rows.push((vec![186, 0, 5, 0, 0], (op::INVOKEDYNAMIC, 5, 0)));
    for element in 4..=11 {
        rows.push((vec![188, element], (op::NEWARRAY, i32::from(element), 0)));
    }
    rows.push((vec![197, 0, 6, 255], (op::MULTIANEWARRAY, 6, 255)));
    rows
}

/// Returns a `tableswitch` and a `lookupswitch` at an index, with `to` as the offset of all
/// targets.
fn switches(at: usize, to: i32) -> [Vec<u8>; 2] {
    let padding = 3 - at % 4;
    let mut table = vec![170];
    table.resize(1 + padding, 0);
    for word in [to, -1, 1, to, to, to] {
        table.extend(word.to_be_bytes());
    }
    let mut lookup = vec![171];
    lookup.resize(1 + padding, 0);
    for word in [to, 2, i32::MIN, to, 70_000, to] {
        lookup.extend(word.to_be_bytes());
    }
    [table, lookup]
}

#[test]
fn every_instruction_decodes() {
    let mut seen = [false; 256];
    for (bytes, (op, a, b)) in rows() {
        let decoded = decode(&bytes).unwrap_or_else(|what| panic!("{bytes:?}: {what}"));
        assert_eq!(decoded.insns, [Insn { at: 0, op, a, b }], "{bytes:?}");
        assert_eq!(decoded.starts[0], 0);
        assert!(
            decoded.starts[1..]
                .iter()
                .all(|&start| start == NOT_A_START),
            "{bytes:?}"
        );
        seen[bytes[0] as usize] = true;
    }
    for switch in switches(0, 0) {
        assert!(decode(&switch).is_ok());
        seen[switch[0] as usize] = true;
    }
    // JVMS §6.5 ends with jsr_w; breakpoint, impdep1 and impdep2 occur in no class file.
    for opcode in 0..=255u8 {
        assert_eq!(seen[opcode as usize], opcode <= 201, "{opcode}");
        if opcode > 201 {
            assert!(decode(&[opcode, 0, 0, 0, 0]).is_err(), "{opcode}");
        }
    }
}

#[test]
fn instructions_that_are_cut_off_are_refused() {
    let whole = rows()
        .into_iter()
        .map(|(bytes, _)| bytes)
        .chain(switches(0, 0));
    for bytes in whole {
        for length in 1..bytes.len() {
            assert!(
                decode(&bytes[..length]).is_err(),
                "{length} bytes of {bytes:?}"
            );
        }
    }
}

#[test]
fn instructions_follow_one_another() {
    let all = rows();
    let mut code = Vec::new();
    let mut expected = Vec::new();
    for (bytes, (op, a, b)) in all {
        let at = code.len() as u16;
        let is_branch = matches!(op, op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL);
        let a = if is_branch { i32::from(at) } else { a };
        expected.push(Insn { at, op, a, b });
        code.extend(bytes);
    }
    let decoded = decode(&code).unwrap();
    assert_eq!(decoded.insns, expected);
    for (number, insn) in expected.iter().enumerate() {
        assert_eq!(decoded.insn_at(i32::from(insn.at)), Some(number));
    }
    assert_eq!(
        decoded
            .starts
            .iter()
            .filter(|&&start| start != NOT_A_START)
            .count(),
        expected.len()
    );
    assert_eq!(decoded.insn_at(-1), None);
    assert_eq!(decoded.insn_at(code.len() as i32), None);
}

#[test]
fn switches_are_aligned_and_relative() {
    for at in 0..8 {
        for code in switches(at, -(at as i32)) {
            let mut bytes = vec![op::NOP; at];
            bytes.extend(&code);
            let decoded = decode(&bytes).unwrap();
            let insn = decoded.insns.last().unwrap();
            assert_eq!((usize::from(insn.at), insn.op, insn.b), (at, code[0], 0));
            let pairs = if code[0] == op::TABLESWITCH {
                vec![(-1, 0), (0, 0), (1, 0)]
            } else {
                vec![(i32::MIN, 0), (70_000, 0)]
            };
            assert_eq!(decoded.switches, [Switch { default: 0, pairs }]);
        }
    }
}

#[test]
fn operands_out_of_range_are_refused() {
    let word = |value: i32| value.to_be_bytes();
    let table = |low: i32, high: i32| [[170, 0, 0, 0], word(0), word(low), word(high)].concat();
    let lookup = |keys: &[i32]| {
        let mut code = [[171, 0, 0, 0], word(0), word(keys.len() as i32)].concat();
        for &key in keys {
            code.extend(word(key));
            code.extend(word(0));
        }
        code
    };
    let refused: Vec<Vec<u8>> = vec![
        // Branches into the middle of an instruction, before the code, past its end.
        vec![167, 0, 1],
        vec![167, 0xFF, 0xFF],
        vec![167, 0, 3],
        vec![200, 0, 0, 0, 5],
        vec![200, 0x7F, 0xFF, 0xFF, 0xFF],
        vec![200, 0x80, 0, 0, 0],
        vec![198, 0x7F, 0xFF],
        // Element types, dimensions, the zero bytes of a call.
        vec![188, 3],
        vec![188, 12],
        vec![197, 0, 1, 0],
        vec![185, 0, 1, 0, 0],
        vec![185, 0, 1, 1, 1],
        vec![186, 0, 1, 1, 0],
        vec![186, 0, 1, 0, 1],
        // Wide before an instruction without a wide form, itself included.
        vec![196, 0, 0, 0],
        vec![196, 196, 0, 0],
        vec![196, 18, 0, 0],
        // Switches with descending bounds, too many cases, unsorted keys, a negative count.
        table(1, 0),
        table(i32::MIN, i32::MAX),
        table(0, 20_000),
        lookup(&[2, 1]),
        lookup(&[1, 1]),
        [[171, 0, 0, 0], word(0), word(-1)].concat(),
        [[171, 0, 0, 0], word(0), word(i32::MAX)].concat(),
        [[171, 0, 0, 0], word(1), word(0)].concat(),
    ];
    for code in refused {
        assert!(decode(&code).is_err(), "{code:?}");
    }
    assert!(decode(&lookup(&[])).is_ok());
    assert!(decode(&lookup(&[i32::MIN, i32::MAX])).is_ok());
}

#[test]
fn any_bytes_decode_or_are_refused() {
    let mut state = 1u64;
    for _ in 0..20_000 {
        let code: Vec<u8> = (0..1 + state % 40)
            .map(|_| {
                state = state
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                // Mostly valid opcodes.
                ((state >> 33) % 210) as u8
            })
            .collect();
        if let Ok(decoded) = decode(&code) {
            let starts = decoded
                .starts
                .iter()
                .filter(|&&start| start != NOT_A_START)
                .count();
            assert_eq!(starts, decoded.insns.len());
        }
    }
}

#[test]
fn families_of_opcodes_are_told_apart() {
    use crate::machine::Operation::{Convert, Mul, Neg, Rem, Ushr, Xor};
    for (opcode, expected) in [
        (op::LMUL, (Mul, Kind::Long)),
        (op::DREM, (Rem, Kind::Double)),
        (op::INEG, (Neg, Kind::Int)),
        (op::IUSHR, (Ushr, Kind::Int)),
        (op::LXOR, (Xor, Kind::Long)),
        (op::I2L, (Convert(Kind::Long), Kind::Int)),
        (op::L2I, (Convert(Kind::Int), Kind::Long)),
        (op::L2D, (Convert(Kind::Double), Kind::Long)),
        (op::F2L, (Convert(Kind::Long), Kind::Float)),
        (op::D2F, (Convert(Kind::Float), Kind::Double)),
        (op::I2S, (Convert(Kind::Short), Kind::Int)),
    ] {
        assert_eq!(computed(opcode), expected, "{opcode}");
    }
}
