//! Arc sine, cosine and tangent.

use super::{HALF_PI, HALF_PI_LOW, ONE, head, high, magnitude, polynomial};

/// Numerator and denominator of a rational approximation of (asin(x) - x) / x³ in x².
const ABOVE: [f64; 6] = [
    f64::from_bits(0x3FC5_5555_5555_5555),
    f64::from_bits(0xBFD4_D612_03EB_6F7D),
    f64::from_bits(0x3FC9_C155_0E88_4455),
    f64::from_bits(0xBFA4_8228_B568_8F3B),
    f64::from_bits(0x3F49_EFE0_7501_B288),
    f64::from_bits(0x3F02_3DE1_0DFD_F709),
];
const BELOW: [f64; 5] = [
    1.0,
    f64::from_bits(0xC003_3A27_1C8A_2D4B),
    f64::from_bits(0x4000_2AE5_9C59_8AC8),
    f64::from_bits(0xBFE6_066C_1B8D_0159),
    f64::from_bits(0x3FB3_B8C5_B12E_9282),
];

const QUARTER_PI: f64 = f64::from_bits(0x3FE9_21FB_5444_2D18);
const PI: f64 = f64::from_bits(0x4009_21FB_5444_2D18);
const PI_LOW: f64 = f64::from_bits(0x3CA1_A626_3314_5C07);

/// Arc tangents of 1/2, 1, 3/2 and infinity, each as a high and a low part.
const ARC: [(f64, f64); 4] = [
    (
        f64::from_bits(0x3FDD_AC67_0561_BB4F),
        f64::from_bits(0x3C7A_2B7F_222F_65E2),
    ),
    (
        f64::from_bits(0x3FE9_21FB_5444_2D18),
        f64::from_bits(0x3C81_A626_3314_5C07),
    ),
    (
        f64::from_bits(0x3FEF_730B_D281_F69B),
        f64::from_bits(0x3C70_0788_7AF0_CBBD),
    ),
    (HALF_PI, HALF_PI_LOW),
];

const ARC_TANGENT: [f64; 11] = [
    f64::from_bits(0x3FD5_5555_5555_550D),
    f64::from_bits(0xBFC9_9999_9998_EBC4),
    f64::from_bits(0x3FC2_4924_9200_83FF),
    f64::from_bits(0xBFBC_71C6_FE23_1671),
    f64::from_bits(0x3FB7_45CD_C54C_206E),
    f64::from_bits(0xBFB3_B0F2_AF74_9A6D),
    f64::from_bits(0x3FB1_0D66_A0D0_3D51),
    f64::from_bits(0xBFAD_DE2D_52DE_FD9A),
    f64::from_bits(0x3FA9_7B4B_2476_0DEB),
    f64::from_bits(0xBFA2_B444_2C6A_6C2F),
    f64::from_bits(0x3F90_AD3A_E322_DA11),
];

/// (asin(√t) - √t) / √t.
fn ratio(t: f64) -> f64 {
    t * polynomial(t, &ABOVE) / polynomial(t, &BELOW)
}

pub(crate) fn asin(x: f64) -> f64 {
    let size = magnitude(x);
    if size >= ONE {
        return match x.abs() == 1.0 {
            true => x * HALF_PI + x * HALF_PI_LOW,
            false => f64::NAN,
        };
    }
    // Below 1/2.
    if size < 0x3FE0_0000 {
        return match size < 0x3E40_0000 {
            true => x,
            false => x + x * ratio(x * x),
        };
    }
    // Half-angle formula.
    let t = (1.0 - x.abs()) * 0.5;
    let root = t.sqrt();
    let result = if size >= 0x3FEF_3333 {
        HALF_PI - (2.0 * (root + root * ratio(t)) - HALF_PI_LOW)
    } else {
        let near = head(root);
        let rest = (t - near * near) / (root + near);
        let p = 2.0 * root * ratio(t) - (HALF_PI_LOW - 2.0 * rest);
        let q = QUARTER_PI - 2.0 * near;
        QUARTER_PI - (p - q)
    };
    if high(x) > 0 { result } else { -result }
}

pub(crate) fn acos(x: f64) -> f64 {
    let size = magnitude(x);
    if size >= ONE {
        return match x {
            1.0 => 0.0,
            -1.0 => PI + 2.0 * HALF_PI_LOW,
            _ => f64::NAN,
        };
    }
    if size < 0x3FE0_0000 {
        return match size <= 0x3C60_0000 {
            true => HALF_PI + HALF_PI_LOW,
            false => HALF_PI - (x - (HALF_PI_LOW - x * ratio(x * x))),
        };
    }
    if high(x) < 0 {
        let z = (1.0 + x) * 0.5;
        let root = z.sqrt();
        return PI - 2.0 * (root + (ratio(z) * root - HALF_PI_LOW));
    }
    let z = (1.0 - x) * 0.5;
    let root = z.sqrt();
    let near = head(root);
    let rest = (z - near * near) / (root + near);
    2.0 * (near + (ratio(z) * root + rest))
}

pub(crate) fn atan(x: f64) -> f64 {
    let size = magnitude(x);
    // From 2⁶⁶ on.
    if size >= 0x4410_0000 {
        return match x {
            _ if x.is_nan() => x,
            _ if high(x) > 0 => HALF_PI + HALF_PI_LOW,
            _ => -HALF_PI - HALF_PI_LOW,
        };
    }
    let positive = x.abs();
    let (arc, reduced) = match size {
        // Below 2⁻²⁹.
        ..0x3E20_0000 => return x,
        // Below 7/16, 11/16, 19/16 and 39/16.
        0x3E20_0000..0x3FDC_0000 => return x - x * arc_tangent(x),
        0x3FDC_0000..0x3FE6_0000 => (ARC[0], (2.0 * positive - 1.0) / (2.0 + positive)),
        0x3FE6_0000..0x3FF3_0000 => (ARC[1], (positive - 1.0) / (positive + 1.0)),
        0x3FF3_0000..0x4003_8000 => (ARC[2], (positive - 1.5) / (1.0 + 1.5 * positive)),
        _ => (ARC[3], -1.0 / positive),
    };
    let result = arc.0 - ((reduced * arc_tangent(reduced) - arc.1) - reduced);
    if high(x) < 0 { -result } else { result }
}

/// 1 - atan(x)/x.
fn arc_tangent(x: f64) -> f64 {
    let z = x * x;
    let w = z * z;
    let [a0, a1, a2, a3, a4, a5, a6, a7, a8, a9, a10] = ARC_TANGENT;
    let even = z * polynomial(w, &[a0, a2, a4, a6, a8, a10]);
    even + w * polynomial(w, &[a1, a3, a5, a7, a9])
}

pub(crate) fn atan2(y: f64, x: f64) -> f64 {
    if x.is_nan() || y.is_nan() {
        return f64::NAN;
    }
    if x == 1.0 {
        return atan(y);
    }
    let (is_left, is_lower) = (x.is_sign_negative(), y.is_sign_negative());
    let signed = |angle: f64| if is_lower { -angle } else { angle };
    if y == 0.0 {
        return if is_left { signed(PI) } else { y };
    }
    if x == 0.0 {
        return signed(HALF_PI);
    }
    if x.is_infinite() {
        return signed(match (y.is_infinite(), is_left) {
            (true, false) => QUARTER_PI,
            (true, true) => 3.0 * QUARTER_PI,
            (false, false) => 0.0,
            (false, true) => PI,
        });
    }
    if y.is_infinite() {
        return signed(HALF_PI);
    }
    let exponents = (magnitude(y) - magnitude(x)) >> 20;
    let angle = if exponents > 60 {
        HALF_PI + 0.5 * PI_LOW
    } else if is_left && exponents < -60 {
        0.0
    } else {
        atan((y / x).abs())
    };
    match is_left {
        false => signed(angle),
        true if is_lower => (angle - PI_LOW) - PI,
        true => PI - (angle - PI_LOW),
    }
}
