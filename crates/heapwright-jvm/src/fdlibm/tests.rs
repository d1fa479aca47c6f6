use super::*;

fn bits(x: f64) -> u64 {
    x.to_bits()
}

#[test]
fn high_words_of_multiples_of_half_pi() {
    // The first multiples and some later ones, as `fdlibm` lists them.
    let high_words = [
        0x3FF9_21FB,
        0x4009_21FB,
        0x4012_D97C,
        0x4019_21FB,
        0x401F_6A7A,
    ];
    for (n, word) in high_words.into_iter().enumerate() {
        assert_eq!(high((n + 1) as f64 * HALF_PI), word);
    }
    assert_eq!(high(32.0 * HALF_PI), 0x4049_21FB);
}

#[test]
fn values_at_the_edges() {
    assert_eq!(bits(sin(-0.0)), bits(-0.0));
    assert_eq!(bits(log(1.0)), bits(0.0));
    assert_eq!(log(0.0), f64::NEG_INFINITY);
    assert!(log(-1.0).is_nan() && log10(-f64::NAN).is_nan());
    assert_eq!(log10(1e22), 22.0);
    assert_eq!(expm1(-1e9), -1.0);
    assert_eq!(tanh(1e9), 1.0);
    assert_eq!(cosh(711.0), f64::INFINITY);
    assert_eq!(bits(remainder(-4.0, 2.0)), bits(-0.0));
    assert_eq!(atan2(-0.0, -1.0), -std::f64::consts::PI);
}
