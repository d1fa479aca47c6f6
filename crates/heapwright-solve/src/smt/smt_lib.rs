//! Output of conditions as an SMT-LIB 2.6 script, for other solvers and for people.

use std::fmt::Write as _;

use super::SolverError;
use super::encode::{Encoder, width};
use super::op::{Format, Op, Rounding, TranslationTarget};
use super::pool::TermPool;
use super::term::{Term, VariableRange};

/// Returns the conditions as a script for any solver of bit vectors and floating point. A `Char` or
/// similar has its own width, a `Double` the 64 bits of `doubleToRawLongBits`. `name` must give
/// distinct names to the variables.
#[must_use]
pub fn smt_lib(pool: &TermPool, conditions: &[Term], name: impl Fn(u32) -> String) -> String {
    let mut variables: Vec<u32> = conditions
        .iter()
        .flat_map(|&condition| pool.variables(condition))
        .copied()
        .collect();
    variables.sort_unstable();
    variables.dedup();
    let mut script = SmtLibScript {
        name,
        lines: String::new(),
        defined: 0,
        uses_numbers: false,
    };
    let is_unbounded = conditions
        .iter()
        .any(|&condition| pool.is_unbounded(condition));
    for &number in &variables {
        let input = pool.input(number).unwrap_or(VariableRange::Long);
        let symbol = script.symbol(number);
        if is_unbounded && input.range().is_some() {
            let _ = writeln!(script.lines, "(declare-const {symbol} Int)");
            continue;
        }
        let _ = writeln!(
            script.lines,
            "(declare-const {symbol} (_ BitVec {}))",
            width(input)
        );
    }
    let mut encoder = Encoder::with_integers(script, is_unbounded);
    for &number in &variables {
        if let Ok(Some(range)) = encoder.range(pool, number) {
            let _ = writeln!(encoder.target.lines, "(assert {range})");
        }
    }
    for &condition in conditions {
        if let Ok(text) = encoder.encode(pool, condition) {
            let _ = writeln!(encoder.target.lines, "(assert {text})");
        }
    }
    let script = encoder.target;
    let logic = if is_unbounded {
        "ALL"
    } else if script.uses_numbers {
        "QF_BVFP"
    } else {
        "QF_BV"
    };
    format!(
        "(set-option :produce-models true)\n(set-logic {logic})\n{}(check-sat)\n(get-model)\n",
        script.lines
    )
}

/// Script under construction. Short texts are written in place; longer ones are defined first, so
/// that shared terms are written once.
struct SmtLibScript<N> {
    name: N,
    lines: String,
    defined: u32,
    uses_numbers: bool,
}

/// Longest text without a name of its own.
const MAX_INLINE: usize = 60;

impl<N: Fn(u32) -> String> SmtLibScript<N> {
    /// Quoted symbols may contain any character except `|` and `\`.
    fn symbol(&self, number: u32) -> String {
        let name = (self.name)(number).replace(['|', '\\'], "_");
        let own = if name.starts_with("_t") { "_" } else { "" };
        format!("|{own}{name}|")
    }

    fn fresh(&mut self) -> String {
        self.defined += 1;
        // No symbol of a variable begins with this prefix.
        format!("_t{}", self.defined)
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TextSort {
    Bool,
    Bits(u32),
    Number(Format),
    Integer,
}

/// Text with its sort.
#[derive(Clone, Debug)]
struct SortedText {
    text: String,
    sort: TextSort,
}

impl std::fmt::Display for SortedText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.text)
    }
}

impl<N: Fn(u32) -> String> TranslationTarget for SmtLibScript<N> {
    type Term = SortedText;

    fn truth(&mut self, value: bool) -> Result<SortedText, SolverError> {
        Ok(SortedText {
            text: value.to_string(),
            sort: TextSort::Bool,
        })
    }

    fn bits(&mut self, width: u32, bits: u64) -> Result<SortedText, SolverError> {
        let text = if width.is_multiple_of(4) {
            format!("#x{bits:0digits$x}", digits = width as usize / 4)
        } else {
            format!("#b{bits:0digits$b}", digits = width as usize)
        };
        Ok(SortedText {
            text,
            sort: TextSort::Bits(width),
        })
    }

    fn variable(&mut self, number: u32, width: u32) -> Result<SortedText, SolverError> {
        Ok(SortedText {
            text: self.symbol(number),
            sort: TextSort::Bits(width),
        })
    }

    fn integer(&mut self, value: i128) -> Result<SortedText, SolverError> {
        let magnitude = value.unsigned_abs();
        let text = match value < 0 {
            true => format!("(- {magnitude})"),
            false => magnitude.to_string(),
        };
        Ok(SortedText {
            text,
            sort: TextSort::Integer,
        })
    }

    fn integer_variable(&mut self, number: u32) -> Result<SortedText, SolverError> {
        Ok(SortedText {
            text: self.symbol(number),
            sort: TextSort::Integer,
        })
    }

    fn apply(&mut self, op: Op, operands: &[&SortedText]) -> Result<SortedText, SolverError> {
        let sort = sort_of(op, operands);
        self.uses_numbers |= matches!(sort, TextSort::Number(_));
        let mut text = format!("({}", head(op));
        for operand in operands {
            let _ = write!(text, " {operand}");
        }
        text.push(')');
        if text.len() > MAX_INLINE {
            let name = self.fresh();
            let _ = writeln!(
                self.lines,
                "(define-fun {name} () {} {text})",
                sort_text(sort)
            );
            text = name;
        }
        Ok(SortedText { text, sort })
    }

    /// SMT-LIB has no such function: the bits are a new constant constrained to convert to the
    /// number.
    fn ieee_bits(
        &mut self,
        format: Format,
        number: &SortedText,
    ) -> Result<SortedText, SolverError> {
        let name = self.fresh();
        let sort = TextSort::Bits(format.width());
        let head = head(Op::FpOfBits(format));
        let _ = writeln!(self.lines, "(declare-const {name} {})", sort_text(sort));
        let _ = writeln!(self.lines, "(assert (= ({head} {name}) {number}))");
        Ok(SortedText { text: name, sort })
    }
}

fn sort_text(sort: TextSort) -> String {
    match sort {
        TextSort::Bool => "Bool".to_owned(),
        TextSort::Integer => "Int".to_owned(),
        TextSort::Bits(width) => format!("(_ BitVec {width})"),
        TextSort::Number(Format::Single) => "Float32".to_owned(),
        TextSort::Number(Format::Double) => "Float64".to_owned(),
    }
}

fn sort_of(op: Op, operands: &[&SortedText]) -> TextSort {
    let first = operands[0].sort;
    let width = match first {
        TextSort::Bits(width) => width,
        _ => 0,
    };
    match op {
        Op::Not | Op::And | Op::Or | Op::Xor | Op::Equal => TextSort::Bool,
        Op::BvSlt | Op::BvSle | Op::BvUlt | Op::BvUle => TextSort::Bool,
        Op::IntLt | Op::IntLe => TextSort::Bool,
        Op::BitsToInt => TextSort::Integer,
        Op::FpLt | Op::FpLe | Op::FpEq | Op::FpIsNan | Op::FpIsNegative => TextSort::Bool,
        Op::Ite => operands[1].sort,
        Op::Low(width) | Op::FpToSigned(width) | Op::IntToBits(width) => TextSort::Bits(width),
        Op::SignExtend(more) | Op::ZeroExtend(more) => TextSort::Bits(width + more),
        Op::FpOfBits(format) | Op::FpOfFp(format) | Op::FpOfSigned(format) => {
            TextSort::Number(format)
        }
        _ => first,
    }
}

fn head(op: Op) -> String {
    let of_format = |format: Format| match format {
        Format::Single => "(_ to_fp 8 24)",
        Format::Double => "(_ to_fp 11 53)",
    };
    let text = match op {
        Op::Not => "not",
        Op::And => "and",
        Op::Or => "or",
        Op::Xor => "xor",
        Op::Ite => "ite",
        Op::Equal => "=",
        Op::BvNeg => "bvneg",
        Op::BvAdd => "bvadd",
        Op::BvSub => "bvsub",
        Op::BvMul => "bvmul",
        Op::BvSdiv => "bvsdiv",
        Op::BvSrem => "bvsrem",
        Op::BvAnd => "bvand",
        Op::BvOr => "bvor",
        Op::BvXor => "bvxor",
        Op::BvShl => "bvshl",
        Op::BvLshr => "bvlshr",
        Op::BvAshr => "bvashr",
        Op::BvSlt => "bvslt",
        Op::BvSle => "bvsle",
        Op::BvUlt => "bvult",
        Op::BvUle => "bvule",
        Op::Low(width) => return format!("(_ extract {} 0)", width - 1),
        Op::SignExtend(more) => return format!("(_ sign_extend {more})"),
        Op::ZeroExtend(more) => return format!("(_ zero_extend {more})"),
        Op::FpNeg => "fp.neg",
        Op::FpAbs => "fp.abs",
        Op::FpAdd => "fp.add RNE",
        Op::FpSub => "fp.sub RNE",
        Op::FpMul => "fp.mul RNE",
        Op::FpDiv => "fp.div RNE",
        Op::FpRemainder => "fp.rem",
        Op::FpSqrt => "fp.sqrt RNE",
        Op::FpRound(Rounding::Floor) => "fp.roundToIntegral RTN",
        Op::FpRound(Rounding::Ceil) => "fp.roundToIntegral RTP",
        Op::FpRound(Rounding::NearestEven) => "fp.roundToIntegral RNE",
        Op::FpLt => "fp.lt",
        Op::FpLe => "fp.leq",
        Op::FpEq => "fp.eq",
        Op::FpIsNan => "fp.isNaN",
        Op::FpIsNegative => "fp.isNegative",
        Op::FpOfBits(format) => of_format(format),
        Op::FpOfFp(format) | Op::FpOfSigned(format) => {
            return format!("{} RNE", of_format(format));
        }
        Op::FpToSigned(width) => return format!("(_ fp.to_sbv {width}) RTZ"),
        Op::IntNeg | Op::IntSub => "-",
        Op::IntAdd => "+",
        Op::IntMul => "*",
        Op::IntDiv => "div",
        Op::IntMod => "mod",
        Op::IntLt => "<",
        Op::IntLe => "<=",
        Op::IntToBits(width) => return format!("(_ int2bv {width})"),
        Op::BitsToInt => "bv2nat",
    };
    text.to_owned()
}
