package library.bigintegers;

import java.math.BigInteger;

/** BigInteger: arithmetic, bits, text, modular operations. */
public class Main {
    public static void main(String[] args) {
        BigInteger a = new BigInteger("123456789012345678901234567890"), b = BigInteger.valueOf(-987654321987654321L);
        System.out.println(a.add(b) + " " + a.subtract(b) + " " + a.multiply(b) + " " + a.divide(b) + " " + a.remainder(b) + " " + b.mod(BigInteger.TEN));
        BigInteger factorial = BigInteger.ONE;
        for (int i = 2; i <= 60; i++) factorial = factorial.multiply(BigInteger.valueOf(i));
        System.out.println(factorial + " " + factorial.bitLength() + " " + factorial.getLowestSetBit() + " " + factorial.hashCode());
        System.out.println(BigInteger.TWO.pow(200) + " " + a.negate().abs().equals(a) + " " + a.signum() + b.signum() + BigInteger.ZERO.signum());
        System.out.println(a.gcd(factorial) + " " + BigInteger.valueOf(3).modPow(BigInteger.valueOf(1000), BigInteger.valueOf(1009)) + " " + BigInteger.valueOf(3).modInverse(BigInteger.valueOf(11)));
        System.out.println(a.shiftLeft(70) + " " + a.shiftRight(50) + " " + b.shiftRight(200) + " " + a.testBit(3) + " " + a.and(b) + " " + a.or(b) + " " + a.xor(b) + " " + a.not());
        System.out.println(a.toString(16) + " " + b.toString(36) + " " + new BigInteger("-ff", 16) + " " + a.longValue() + " " + a.intValue() + " " + a.doubleValue());
        System.out.println(a.compareTo(b) + " " + a.max(b).equals(a) + " " + a.bitCount() + " " + java.util.Arrays.toString(b.toByteArray()));
        System.out.println(a.sqrt() + " " + java.util.Arrays.toString(a.divideAndRemainder(BigInteger.valueOf(97))) + " " + BigInteger.valueOf(97).isProbablePrime(20));
        try {
            a.divide(BigInteger.ZERO);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            a.longValueExact();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            new BigInteger("12x");
        } catch (NumberFormatException e) {
            System.out.println(e.getMessage());
        }
    }
}
