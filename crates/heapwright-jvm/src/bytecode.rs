//! Bytecode decoder (JVMS §6). Each instruction and its operands get one form, shared by the
//! verifier and the translator.

use crate::descriptor::Kind;
use crate::machine::Operation;

/// Instruction at a bytecode index. `_0` to `_3` and `wide` forms become the long form, branch
/// offsets become absolute targets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Insn {
    /// Bytecode index of the instruction.
    pub at: u16,
    /// The opcode, one of [`op`].
    pub op: u8,
    /// Local variable, constant, pool index, branch target or element type.
    pub a: i32,
    /// Increment of an `iinc`, dimensions of a `multianewarray`, or index of the switch.
    pub b: i32,
}

/// Switch: pairs of key and target, keys ascending.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Switch {
    /// Target of all other keys.
    pub default: u16,
    /// Keys and targets.
    pub pairs: Vec<(i32, u16)>,
}

/// Decoded code.
#[derive(Clone, Debug, Default)]
pub struct Decoded {
    /// The instructions in order.
    pub insns: Vec<Insn>,
    /// Switches, indexed by field `b` of their instruction.
    pub switches: Vec<Switch>,
    /// For each bytecode index the index of the instruction there, or `NOT_A_START`.
    pub starts: Vec<u16>,
}

/// In [`Decoded::starts`]: no instruction starts here.
pub const NOT_A_START: u16 = u16::MAX;

impl Decoded {
    /// Index of the instruction that starts at a bytecode index.
    #[must_use]
    pub fn insn_at(&self, at: i32) -> Option<usize> {
        let start = *self.starts.get(usize::try_from(at).ok()?)?;
        (start != NOT_A_START).then_some(start as usize)
    }
}

struct Cursor<'a> {
    code: &'a [u8],
    at: usize,
}

impl Cursor<'_> {
    fn u8(&mut self) -> Result<u8, String> {
        let byte = *self
            .code
            .get(self.at)
            .ok_or("code ends within an instruction")?;
        self.at += 1;
        Ok(byte)
    }
    fn u16(&mut self) -> Result<i32, String> {
        Ok(i32::from(self.u8()?) << 8 | i32::from(self.u8()?))
    }
    fn i16(&mut self) -> Result<i32, String> {
        Ok(i32::from(self.u16()? as i16))
    }
    fn i32(&mut self) -> Result<i32, String> {
        Ok(self.u16()? << 16 | self.u16()?)
    }
}

/// Decodes code; every branch target is the start of an instruction.
///
/// # Errors
/// The code is malformed; the text says why.
pub fn decode(code: &[u8]) -> Result<Decoded, String> {
    let mut decoded = Decoded {
        starts: vec![NOT_A_START; code.len()],
        ..Decoded::default()
    };
    let mut cursor = Cursor { code, at: 0 };
    while cursor.at < code.len() {
        let at = cursor.at;
        decoded.starts[at] = decoded.insns.len() as u16;
        let insn = decode_one(&mut cursor, &mut decoded.switches)?;
        decoded.insns.push(insn);
    }
    for insn in &decoded.insns {
        let lands = |target: i32| {
            decoded
                .insn_at(target)
                .map(|_| ())
                .ok_or_else(|| format!("branch at {} into nowhere", insn.at))
        };
        match insn.op {
            op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL => lands(insn.a)?,
            op::TABLESWITCH | op::LOOKUPSWITCH => {
                let switch = &decoded.switches[insn.b as usize];
                lands(i32::from(switch.default))?;
                for (_, target) in &switch.pairs {
                    lands(i32::from(*target))?;
                }
            }
            _ => {}
        }
    }
    Ok(decoded)
}

fn target(at: usize, offset: i32) -> Result<i32, String> {
    let to = at as i64 + i64::from(offset);
    if (0..65_535).contains(&to) {
        Ok(to as i32)
    } else {
        Err(format!("branch at {at} leaves the code"))
    }
}

fn decode_one(cursor: &mut Cursor<'_>, switches: &mut Vec<Switch>) -> Result<Insn, String> {
    let at = cursor.at;
    let mut opcode = cursor.u8()?;
    let (mut a, mut b) = (0, 0);
    match opcode {
        op::ICONST_M1..=8 => {
            a = i32::from(opcode) - 3;
            opcode = op::BIPUSH;
        }
        op::BIPUSH => a = i32::from(cursor.u8()? as i8),
        op::SIPUSH => {
            a = cursor.i16()?;
            opcode = op::BIPUSH;
        }
        op::LDC => a = i32::from(cursor.u8()?),
        op::LDC_W => {
            a = cursor.u16()?;
            opcode = op::LDC;
        }
        op::LDC2_W
        | op::GETSTATIC..=op::INVOKESTATIC
        | op::NEW
        | op::ANEWARRAY
        | op::CHECKCAST
        | op::INSTANCEOF => a = cursor.u16()?,
        op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET => a = i32::from(cursor.u8()?),
        // iload_0 to aload_3, istore_0 to astore_3.
        26..=45 => {
            a = i32::from((opcode - 26) % 4);
            opcode = op::ILOAD + (opcode - 26) / 4;
        }
        59..=78 => {
            a = i32::from((opcode - 59) % 4);
            opcode = op::ISTORE + (opcode - 59) / 4;
        }
        op::IINC => {
            a = i32::from(cursor.u8()?);
            b = i32::from(cursor.u8()? as i8);
        }
        op::IFEQ..=op::JSR | op::IFNULL | op::IFNONNULL => a = target(at, cursor.i16()?)?,
        200 | 201 => {
            a = target(at, cursor.i32()?)?;
            opcode = if opcode == 200 { op::GOTO } else { op::JSR };
        }
        op::TABLESWITCH | op::LOOKUPSWITCH => {
            while !cursor.at.is_multiple_of(4) {
                cursor.u8()?;
            }
            b = switches.len() as i32;
            let switch = decode_switch(cursor, at, opcode)?;
            switches.push(switch);
        }
        op::INVOKEINTERFACE | op::INVOKEDYNAMIC => {
            a = cursor.u16()?;
            b = i32::from(cursor.u8()?);
            if cursor.u8()? != 0 || (opcode == op::INVOKEDYNAMIC) != (b == 0) {
                return Err(format!("operands of the call at {at}"));
            }
        }
        op::NEWARRAY => {
            a = i32::from(cursor.u8()?);
            if !(4..=11).contains(&a) {
                return Err(format!("element type {a} at {at}"));
            }
        }
        op::MULTIANEWARRAY => {
            a = cursor.u16()?;
            b = i32::from(cursor.u8()?);
            if b == 0 {
                return Err(format!("array of no dimension at {at}"));
            }
        }
        196 => {
            opcode = cursor.u8()?;
            a = cursor.u16()?;
            match opcode {
                op::ILOAD..=op::ALOAD | op::ISTORE..=op::ASTORE | op::RET => {}
                op::IINC => b = cursor.i16()?,
                _ => return Err(format!("wide before opcode {opcode} at {at}")),
            }
        }
        202.. => return Err(format!("unknown opcode {opcode} at {at}")),
        _ => {}
    }
    Ok(Insn {
        at: at as u16,
        op: opcode,
        a,
        b,
    })
}

fn decode_switch(cursor: &mut Cursor<'_>, at: usize, opcode: u8) -> Result<Switch, String> {
    let default = target(at, cursor.i32()?)? as u16;
    let mut pairs = Vec::new();
    if opcode == op::TABLESWITCH {
        let (low, high) = (cursor.i32()?, cursor.i32()?);
        let count = i64::from(high) - i64::from(low) + 1;
        if !(1..=65_535 / 4).contains(&count) {
            return Err(format!("switch from {low} to {high} at {at}"));
        }
        for key in low..=high {
            pairs.push((key, target(at, cursor.i32()?)? as u16));
        }
    } else {
        let count = cursor.i32()?;
        if !(0..=65_535 / 8).contains(&count) {
            return Err(format!("switch of {count} cases at {at}"));
        }
        for _ in 0..count {
            let key = cursor.i32()?;
            if pairs.last().is_some_and(|(last, _)| *last >= key) {
                return Err(format!("switch with keys out of order at {at}"));
            }
            pairs.push((key, target(at, cursor.i32()?)? as u16));
        }
    }
    Ok(Switch { default, pairs })
}

/// The opcode that pushes 0, which decoded instructions do not have.
pub const ICONST_0: u8 = 3;

/// Opcodes of decoded instructions.
#[expect(dead_code, reason = "all opcodes are listed")]
pub mod op {
    pub const NOP: u8 = 0;
    pub const ACONST_NULL: u8 = 1;
    pub const ICONST_M1: u8 = 2;
    pub const LCONST_0: u8 = 9;
    pub const LCONST_1: u8 = 10;
    pub const FCONST_0: u8 = 11;
    pub const FCONST_1: u8 = 12;
    pub const FCONST_2: u8 = 13;
    pub const DCONST_0: u8 = 14;
    pub const DCONST_1: u8 = 15;
    pub const BIPUSH: u8 = 16;
    pub const SIPUSH: u8 = 17;
    pub const LDC: u8 = 18;
    pub const LDC_W: u8 = 19;
    pub const LDC2_W: u8 = 20;
    pub const ILOAD: u8 = 21;
    pub const LLOAD: u8 = 22;
    pub const FLOAD: u8 = 23;
    pub const DLOAD: u8 = 24;
    pub const ALOAD: u8 = 25;
    pub const IALOAD: u8 = 46;
    pub const LALOAD: u8 = 47;
    pub const FALOAD: u8 = 48;
    pub const DALOAD: u8 = 49;
    pub const AALOAD: u8 = 50;
    pub const BALOAD: u8 = 51;
    pub const CALOAD: u8 = 52;
    pub const SALOAD: u8 = 53;
    pub const ISTORE: u8 = 54;
    pub const LSTORE: u8 = 55;
    pub const FSTORE: u8 = 56;
    pub const DSTORE: u8 = 57;
    pub const ASTORE: u8 = 58;
    pub const IASTORE: u8 = 79;
    pub const LASTORE: u8 = 80;
    pub const FASTORE: u8 = 81;
    pub const DASTORE: u8 = 82;
    pub const AASTORE: u8 = 83;
    pub const BASTORE: u8 = 84;
    pub const CASTORE: u8 = 85;
    pub const SASTORE: u8 = 86;
    pub const POP: u8 = 87;
    pub const POP2: u8 = 88;
    pub const DUP: u8 = 89;
    pub const DUP_X1: u8 = 90;
    pub const DUP_X2: u8 = 91;
    pub const DUP2: u8 = 92;
    pub const DUP2_X1: u8 = 93;
    pub const DUP2_X2: u8 = 94;
    pub const SWAP: u8 = 95;
    pub const IADD: u8 = 96;
    pub const LADD: u8 = 97;
    pub const FADD: u8 = 98;
    pub const DADD: u8 = 99;
    pub const ISUB: u8 = 100;
    pub const LSUB: u8 = 101;
    pub const FSUB: u8 = 102;
    pub const DSUB: u8 = 103;
    pub const IMUL: u8 = 104;
    pub const LMUL: u8 = 105;
    pub const FMUL: u8 = 106;
    pub const DMUL: u8 = 107;
    pub const IDIV: u8 = 108;
    pub const LDIV: u8 = 109;
    pub const FDIV: u8 = 110;
    pub const DDIV: u8 = 111;
    pub const IREM: u8 = 112;
    pub const LREM: u8 = 113;
    pub const FREM: u8 = 114;
    pub const DREM: u8 = 115;
    pub const INEG: u8 = 116;
    pub const LNEG: u8 = 117;
    pub const FNEG: u8 = 118;
    pub const DNEG: u8 = 119;
    pub const ISHL: u8 = 120;
    pub const LSHL: u8 = 121;
    pub const ISHR: u8 = 122;
    pub const LSHR: u8 = 123;
    pub const IUSHR: u8 = 124;
    pub const LUSHR: u8 = 125;
    pub const IAND: u8 = 126;
    pub const LAND: u8 = 127;
    pub const IOR: u8 = 128;
    pub const LOR: u8 = 129;
    pub const IXOR: u8 = 130;
    pub const LXOR: u8 = 131;
    pub const IINC: u8 = 132;
    pub const I2L: u8 = 133;
    pub const I2F: u8 = 134;
    pub const I2D: u8 = 135;
    pub const L2I: u8 = 136;
    pub const L2F: u8 = 137;
    pub const L2D: u8 = 138;
    pub const F2I: u8 = 139;
    pub const F2L: u8 = 140;
    pub const F2D: u8 = 141;
    pub const D2I: u8 = 142;
    pub const D2L: u8 = 143;
    pub const D2F: u8 = 144;
    pub const I2B: u8 = 145;
    pub const I2C: u8 = 146;
    pub const I2S: u8 = 147;
    pub const LCMP: u8 = 148;
    pub const FCMPL: u8 = 149;
    pub const FCMPG: u8 = 150;
    pub const DCMPL: u8 = 151;
    pub const DCMPG: u8 = 152;
    pub const IFEQ: u8 = 153;
    pub const IFNE: u8 = 154;
    pub const IFLT: u8 = 155;
    pub const IFGE: u8 = 156;
    pub const IFGT: u8 = 157;
    pub const IFLE: u8 = 158;
    pub const IF_ICMPEQ: u8 = 159;
    pub const IF_ICMPNE: u8 = 160;
    pub const IF_ICMPLT: u8 = 161;
    pub const IF_ICMPGE: u8 = 162;
    pub const IF_ICMPGT: u8 = 163;
    pub const IF_ICMPLE: u8 = 164;
    pub const IF_ACMPEQ: u8 = 165;
    pub const IF_ACMPNE: u8 = 166;
    pub const GOTO: u8 = 167;
    pub const JSR: u8 = 168;
    pub const RET: u8 = 169;
    pub const TABLESWITCH: u8 = 170;
    pub const LOOKUPSWITCH: u8 = 171;
    pub const IRETURN: u8 = 172;
    pub const LRETURN: u8 = 173;
    pub const FRETURN: u8 = 174;
    pub const DRETURN: u8 = 175;
    pub const ARETURN: u8 = 176;
    pub const RETURN: u8 = 177;
    pub const GETSTATIC: u8 = 178;
    pub const PUTSTATIC: u8 = 179;
    pub const GETFIELD: u8 = 180;
    pub const PUTFIELD: u8 = 181;
    pub const INVOKEVIRTUAL: u8 = 182;
    pub const INVOKESPECIAL: u8 = 183;
    pub const INVOKESTATIC: u8 = 184;
    pub const INVOKEINTERFACE: u8 = 185;
    pub const INVOKEDYNAMIC: u8 = 186;
    pub const NEW: u8 = 187;
    pub const NEWARRAY: u8 = 188;
    pub const ANEWARRAY: u8 = 189;
    pub const ARRAYLENGTH: u8 = 190;
    pub const ATHROW: u8 = 191;
    pub const CHECKCAST: u8 = 192;
    pub const INSTANCEOF: u8 = 193;
    pub const MONITORENTER: u8 = 194;
    pub const MONITOREXIT: u8 = 195;
    pub const MULTIANEWARRAY: u8 = 197;
    pub const IFNULL: u8 = 198;
    pub const IFNONNULL: u8 = 199;
}

/// Returns the operation of an arithmetic, conversion or comparison instruction, and the kind of
/// its operands.
pub(crate) fn computed(opcode: u8) -> (Operation, Kind) {
    use Kind::{Byte, Char, Double, Float, Int, Long, Short};
    use Operation::{
        Add, And, Convert, Div, Mul, Neg, Or, Rem, Shl, Shr, Sign, SignUp, Sub, Ushr, Xor,
    };
    /// Kinds in the order of the opcodes of a family.
    const KINDS: [Kind; 4] = [Int, Long, Float, Double];
    match opcode {
        op::IADD..=op::DNEG => {
            let form = usize::from(opcode - op::IADD);
            ([Add, Sub, Mul, Div, Rem, Neg][form / 4], KINDS[form % 4])
        }
        op::ISHL..=op::LXOR => {
            let form = usize::from(opcode - op::ISHL);
            ([Shl, Shr, Ushr, And, Or, Xor][form / 2], KINDS[form % 2])
        }
        op::LCMP => (Sign, Long),
        op::FCMPL => (Sign, Float),
        op::FCMPG => (SignUp, Float),
        op::DCMPL => (Sign, Double),
        op::DCMPG => (SignUp, Double),
        op::I2B => (Convert(Byte), Int),
        op::I2C => (Convert(Char), Int),
        op::I2S => (Convert(Short), Int),
        // Conversions from each of the four kinds to the three others, in order.
        _ => {
            let form = usize::from(opcode - op::I2L);
            let (from, rest) = (form / 3, form % 3);
            let to = rest + usize::from(rest >= from);
            (Convert(KINDS[to]), KINDS[from])
        }
    }
}

#[cfg(test)]
mod tests;
