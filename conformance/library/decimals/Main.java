package library.decimals;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** BigDecimal and BigInteger: rounding, scales, roots, powers, radices, bits. */
public final class Main {
    public static void main(String[] args) {
        for (String t : new String[] {"5.5", "2.5", "1.1", "-1.1", "-2.5", "-5.5", "0.05"}) {
            StringBuilder b = new StringBuilder(t);
            for (RoundingMode m : RoundingMode.values()) {
                try {
                    b.append(' ').append(new BigDecimal(t).setScale(0, m));
                } catch (ArithmeticException e) {
                    b.append(" inexact");
                }
            }
            System.out.println(b);
        }
        BigDecimal a = new BigDecimal("123.4500");
        System.out.println(a.stripTrailingZeros() + " " + a.scale() + " " + a.precision() + " " + a.unscaledValue() + " " + a.negate().movePointLeft(5).toPlainString() + " " + a.equals(new BigDecimal("123.45")) + " " + a.compareTo(new BigDecimal("123.45")) + " " + a.movePointRight(10).toEngineeringString());
        System.out.println(BigDecimal.ONE.divide(new BigDecimal(7), 30, RoundingMode.HALF_EVEN) + " " + new BigDecimal(2).sqrt(new MathContext(40)) + " " + new BigDecimal(0.1) + " " + BigDecimal.valueOf(0.1) + " " + new BigDecimal("1E-10").add(new BigDecimal("1E+5")));
        System.out.println(new BigDecimal("17").remainder(new BigDecimal("5.3")) + " " + new BigDecimal("-17").divideToIntegralValue(new BigDecimal("5")) + " " + new BigDecimal("1.5").pow(10) + " " + new BigDecimal("99.999").round(new MathContext(3)) + " " + new BigDecimal("12345").doubleValue());
        try {
            BigDecimal.ONE.divide(new BigDecimal(3));
        } catch (ArithmeticException e) {
            System.out.println("no end");
        }
        BigInteger f = BigInteger.ONE;
        for (int i = 2; i <= 60; i++) {
            f = f.multiply(BigInteger.valueOf(i));
        }
        System.out.println(f + " " + f.bitLength() + " " + f.bitCount() + " " + f.getLowestSetBit() + " " + f.toString(36) + " " + f.hashCode());
        BigInteger p = BigInteger.TWO.pow(127).subtract(BigInteger.ONE);
        System.out.println(p.isProbablePrime(20) + " " + p.sqrt() + " " + BigInteger.valueOf(3).modPow(p, f) + " " + BigInteger.valueOf(17).modInverse(p) + " " + f.gcd(p.add(BigInteger.ONE)));
        BigInteger n = BigInteger.valueOf(-1234567890123L);
        System.out.println(n.shiftRight(7) + " " + n.shiftLeft(70) + " " + n.and(p) + " " + n.or(BigInteger.TEN) + " " + n.xor(p) + " " + n.not() + " " + n.mod(BigInteger.TEN) + " " + n.remainder(BigInteger.TEN) + " " + n.testBit(100) + " " + java.util.Arrays.toString(n.toByteArray()));
        System.out.println(f.multiply(f).multiply(f).pow(6).mod(p) + " " + f.pow(20).divide(f.pow(19)).equals(f) + " " + new BigInteger("-zz", 36) + " " + n.longValueExact() + " " + f.longValue() + " " + f.doubleValue());
    }
}
