package numbers.big;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.math.RoundingMode;

/** Big integers and decimals: modes, roots, primes, text. */
public class Main {
    public static void main(String[] args) {
        BigInteger big = new BigInteger("123456789012345678901234567890");
        System.out.println(big.multiply(big) + " " + big.mod(BigInteger.valueOf(97)) + " "
                + big.bitLength() + " " + big.toString(36));
        System.out.println(big.modPow(BigInteger.TEN, BigInteger.valueOf(1009)) + " "
                + BigInteger.valueOf(3).modInverse(BigInteger.valueOf(11)) + " " + big.sqrt());
        System.out.println(BigInteger.valueOf(97).isProbablePrime(20) + " "
                + BigInteger.valueOf(100).nextProbablePrime() + " "
                + big.gcd(BigInteger.valueOf(1230)));
        System.out.println(big.shiftRight(10).testBit(3) + " " + big.negate().shiftRight(90) + " "
                + big.and(BigInteger.valueOf(0xFFFF)) + " " + big.not().bitCount());
        BigDecimal decimal = new BigDecimal("123.4550");
        for (RoundingMode mode : RoundingMode.values()) {
            try {
                System.out.print(decimal.setScale(2, mode) + " ");
            } catch (ArithmeticException thrown) {
                System.out.print("inexact ");
            }
        }
        System.out.println();
        System.out.println(decimal.stripTrailingZeros() + " " + decimal.precision() + " " + decimal.scale()
                + " " + decimal.unscaledValue());
        System.out.println(BigDecimal.ONE.divide(new BigDecimal(7), new MathContext(20)) + " "
                + new BigDecimal(2).sqrt(MathContext.DECIMAL64));
        System.out.println(new BigDecimal("1E+5").toPlainString() + " " + new BigDecimal("1E+5") + " "
                + new BigDecimal("12345.678").toEngineeringString() + " " + new BigDecimal(0.1));
        System.out.println(new BigDecimal("2.0").equals(new BigDecimal("2.00")) + " "
                + new BigDecimal("2.0").compareTo(new BigDecimal("2.00")) + " "
                + new BigDecimal("7").remainder(new BigDecimal("2.5")));
        try {
            BigDecimal.ONE.divide(new BigDecimal(3));
        } catch (ArithmeticException thrown) {
            System.out.println(thrown.getMessage());
        }
    }
}
