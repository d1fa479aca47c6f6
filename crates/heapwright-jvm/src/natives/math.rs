//! `StrictMath` methods that the JDK implements in C, exact to the last bit (see
//! [`crate::fdlibm`]), and `Math` methods that are HotSpot intrinsics. Methods that are Java code
//! in a JDK and are not listed here run as they are. HotSpot's results of `Math` are nearly
//! always the correctly rounded ones, which are returned here.

use super::{Args, NativeEntry};
use crate::fdlibm;
use crate::vm::{Fault, Vm};

pub(super) const NATIVES: &[NativeEntry] = &[
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
    ("java/lang/Math.sin(D)D", |vm, args| {
        rounded(vm, args, fdlibm::rounded::sin)
    }),
    ("java/lang/Math.cos(D)D", |vm, args| {
        rounded(vm, args, fdlibm::rounded::cos)
    }),
    ("java/lang/Math.tan(D)D", |vm, args| {
        rounded(vm, args, fdlibm::rounded::tan)
    }),
    ("java/lang/Math.exp(D)D", |vm, args| {
        rounded(vm, args, fdlibm::rounded::exp)
    }),
    ("java/lang/Math.log(D)D", |vm, args| {
        rounded(vm, args, fdlibm::rounded::log)
    }),
    ("java/lang/Math.log10(D)D", |vm, args| {
        rounded(vm, args, fdlibm::rounded::log10)
    }),
    ("java/lang/Math.tanh(D)D", math_tanh),
    ("java/lang/Math.cbrt(D)D", math_cbrt),
    ("java/lang/Math.pow(DD)D", pow),
];

/// First release in which HotSpot has intrinsics for `tanh` and `cbrt`.
const OWN_TANH_AND_CBRT: u32 = 25;

fn rounded(vm: &mut Vm, args: Args, function: fn(f64) -> f64) -> Result<u64, Fault> {
    Ok(function(f64::from_bits(vm.arg(args, 0))).to_bits())
}

fn math_tanh(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    match vm.jdk().feature >= OWN_TANH_AND_CBRT {
        true => rounded(vm, args, fdlibm::rounded::tanh),
        false => tanh(vm, args),
    }
}

fn math_cbrt(vm: &mut Vm, args: Args) -> Result<u64, Fault> {
    if vm.jdk().feature >= OWN_TANH_AND_CBRT {
        return rounded(vm, args, fdlibm::rounded::cbrt);
    }
    let strict = vm.method_named("java/lang/StrictMath", "cbrt", "(D)D")?;
    let class = vm.method(strict).class;
    vm.initialize(class)?;
    Err(Fault::Call(strict, vec![vm.arg(args, 0), 0]))
}

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
    pow = fdlibm::rounded::pow;
}
