use super::*;

#[test]
fn families_of_opcodes_are_told_apart() {
    use Operation::{Convert, Mul, Neg, Rem, Ushr, Xor};
    for (opcode, expected) in [
        (op::LMUL, Step::Operate(Mul, Kind::Long)),
        (op::DREM, Step::Operate(Rem, Kind::Double)),
        (op::INEG, Step::Operate(Neg, Kind::Int)),
        (op::IUSHR, Step::Operate(Ushr, Kind::Int)),
        (op::LXOR, Step::Operate(Xor, Kind::Long)),
        (op::I2L, Step::Operate(Convert(Kind::Long), Kind::Int)),
        (op::L2I, Step::Operate(Convert(Kind::Int), Kind::Long)),
        (op::L2D, Step::Operate(Convert(Kind::Double), Kind::Long)),
        (op::F2L, Step::Operate(Convert(Kind::Long), Kind::Float)),
        (op::D2F, Step::Operate(Convert(Kind::Float), Kind::Double)),
        (op::I2S, Step::Operate(Convert(Kind::Short), Kind::Int)),
    ] {
        assert_eq!(computed(opcode), expected, "{opcode}");
    }
}
