//! `StrictMath` where the JDK leaves it to C. The JDK's own Java ports (fdlibm) run as they are;
//! what is here is exact by IEEE 754.

use super::{Args, Entry};
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[Entry] = &[
    ("java/lang/StrictMath.sqrt(D)D", sqrt),
    ("java/lang/StrictMath.IEEEremainder(DD)D", remainder),
    ("java/lang/StrictMath.sin(D)D", sin),
    ("java/lang/StrictMath.cos(D)D", cos),
    ("java/lang/StrictMath.tan(D)D", tan),
    ("java/lang/StrictMath.asin(D)D", asin),
    ("java/lang/StrictMath.acos(D)D", acos),
    ("java/lang/StrictMath.atan(D)D", atan),
    ("java/lang/StrictMath.atan2(DD)D", atan2),
    ("java/lang/StrictMath.log(D)D", log),
    ("java/lang/StrictMath.log10(D)D", log10),
    ("java/lang/StrictMath.sinh(D)D", sinh),
    ("java/lang/StrictMath.cosh(D)D", cosh),
    ("java/lang/StrictMath.tanh(D)D", tanh),
    ("java/lang/StrictMath.expm1(D)D", expm1),
    ("java/lang/StrictMath.log1p(D)D", log1p),
];

macro_rules! unary {
    ($($name:ident = $function:expr;)*) => {$(
        fn $name(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
            let function: fn(f64) -> f64 = $function;
            Ok(function(f64::from_bits(vm.arg(args, 0))).to_bits())
        }
    )*};
}

unary! {
    sqrt = f64::sqrt;
    sin = f64::sin;
    cos = f64::cos;
    tan = f64::tan;
    asin = f64::asin;
    acos = f64::acos;
    atan = f64::atan;
    log = f64::ln;
    log10 = f64::log10;
    sinh = f64::sinh;
    cosh = f64::cosh;
    tanh = f64::tanh;
    expm1 = f64::exp_m1;
    log1p = f64::ln_1p;
}

fn atan2(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (y, x) = (
        f64::from_bits(vm.arg(args, 0)),
        f64::from_bits(vm.arg(args, 2)),
    );
    Ok(y.atan2(x).to_bits())
}

/// IEEE 754 remainder: the quotient is rounded to the nearest integer, ties to even.
fn remainder(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    let (x, y) = (
        f64::from_bits(vm.arg(args, 0)),
        f64::from_bits(vm.arg(args, 2)),
    );
    if x.is_nan() || y.is_nan() || x.is_infinite() || y == 0.0 {
        return Ok(f64::NAN.to_bits());
    }
    if y.is_infinite() {
        return Ok(x.to_bits());
    }
    let y = y.abs();
    // Exact: fmod of both, then one step to the nearer side.
    let mut rest = (x.abs() % (y + y).min(f64::MAX)).abs();
    if y + y == f64::INFINITY {
        rest = x.abs();
    }
    let half = y / 2.0;
    if rest > half {
        rest -= y;
        if rest >= half {
            rest -= y;
        }
    }
    Ok(if x.is_sign_negative() { -rest } else { rest }.to_bits())
}
