//! `StrictMath` where the JDK leaves it to C, to the last bit; see [`crate::fdlibm`]. What a JDK has in
//! Java runs as it is where it is not here.

use super::{Args, Entry};
use crate::fdlibm;
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
    sin = fdlibm::sin;
    cos = fdlibm::cos;
    tan = fdlibm::tan;
    asin = fdlibm::asin;
    acos = fdlibm::acos;
    atan = fdlibm::atan;
    log = fdlibm::log;
    log10 = fdlibm::log10;
    sinh = fdlibm::sinh;
    cosh = fdlibm::cosh;
    tanh = fdlibm::tanh;
    expm1 = fdlibm::expm1;
    log1p = fdlibm::log1p;
}

macro_rules! binary {
    ($($name:ident = $function:expr;)*) => {$(
        fn $name(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
            let first = f64::from_bits(vm.arg(args, 0));
            let second = f64::from_bits(vm.arg(args, 2));
            Ok($function(first, second).to_bits())
        }
    )*};
}

binary! {
    atan2 = fdlibm::atan2;
    remainder = fdlibm::remainder;
}
