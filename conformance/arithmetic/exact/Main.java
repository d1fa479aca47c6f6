package arithmetic.exact;

/** Exact, floored and multiplied arithmetic of Math. */
public class Main {
    public static void main(String[] args) {
        System.out.println(Math.floorDiv(-7, 2) + " " + Math.floorMod(-7, 2) + " " + Math.ceilDiv(7, 2)
                + " " + Math.ceilMod(7, 2));
        System.out.println(Math.multiplyHigh(Long.MAX_VALUE, 3) + " " + Math.multiplyFull(1 << 30, 8)
                + " " + Math.absExact(-5));
        for (Runnable attempt : new Runnable[] {() -> Math.addExact(Integer.MAX_VALUE, 1),
                () -> Math.subtractExact(Long.MIN_VALUE, 1L), () -> Math.multiplyExact(1L << 62, 2L),
                () -> Math.negateExact(Integer.MIN_VALUE), () -> Math.toIntExact(1L << 31),
                () -> Math.incrementExact(Integer.MAX_VALUE), () -> Math.absExact(Integer.MIN_VALUE)}) {
            try {
                attempt.run();
                System.out.println("none");
            } catch (ArithmeticException thrown) {
                System.out.println("overflow");
            }
        }
        System.out.println(Math.fma(2.0, 3.0, 1e-20) + " " + Math.ulp(1e10) + " " + Math.nextUp(1.0f) + " "
                + Math.scalb(1.5, 4) + " " + Math.getExponent(1e300));
        System.out.println(Math.IEEEremainder(5, 3) + " " + Math.rint(2.5) + " " + Math.round(-2.5) + " "
                + Math.signum(-0.0) + " " + Math.copySign(3, -0.0));
        System.out.println(Math.hypot(3e200, 4e200) + " " + Math.cbrt(-27) + " " + Math.log1p(1e-10) + " "
                + Math.expm1(1e-10));
        System.out.println(Integer.toUnsignedString(-1) + " " + Integer.divideUnsigned(-1, 7) + " "
                + Long.remainderUnsigned(-1L, 10L) + " " + Integer.compareUnsigned(1, -1));
        System.out.println(Integer.reverse(1) + " " + Long.reverseBytes(1L) + " " + Integer.rotateLeft(
                0x80000001, 4) + " " + Long.numberOfTrailingZeros(64) + " " + Integer.highestOneBit(100));
    }
}
