package arithmetic.maths;

/** Math methods on the corners where they are exactly specified. */
public class Main {
    static void attempt(Runnable r) {
        try {
            r.run();
            System.out.println("no exception");
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        System.out.println(Math.abs(-5) + " " + Math.abs(-2.5) + " " + Math.abs(-0.0) + " " + Math.abs(Long.MIN_VALUE));
        System.out.println(Math.max(3, 7) + " " + Math.min(-1L, 1L) + " " + Math.max(2.5f, -1f));
        System.out.println(Math.floorDiv(-7, 2) + " " + Math.floorMod(-7, 2) + " " + Math.floorMod(7, -3));
        System.out.println(Math.floorDiv(-7L, 2L) + " " + Math.floorMod(-7L, 5));
        System.out.println(Math.sqrt(2) + " " + Math.sqrt(-1) + " " + Math.sqrt(144));
        double[] ds = {2.5, -2.5, 3.5, 0.4999999999999999, -0.2, 1e18, Double.NaN, 4503599627370497.5};
        for (double d : ds) {
            System.out.println(Math.round(d) + " " + Math.rint(d) + " " + Math.floor(d) + " " + Math.ceil(d));
            System.out.println(Math.round((float) d) + " " + Math.signum(d));
        }
        System.out.println(Math.pow(2, 10) + " " + Math.pow(0, 0) + " " + Math.pow(-2, 3) + " " + Math.pow(2, -1));
        System.out.println(Math.hypot(3, 4) + " " + Math.cbrt(27) + " " + Math.exp(0) + " " + Math.log(1));
        System.out.println(Math.sin(0) + " " + Math.cos(0) + " " + Math.atan2(0, 1) + " " + Math.toDegrees(Math.PI));
        System.out.println(Math.ulp(1.0) + " " + Math.nextUp(1.0) + " " + Math.scalb(1.5, 4) + " " + Math.getExponent(1024.5));
        System.out.println(Math.copySign(3, -0.0) + " " + Math.fma(2.0, 3.0, 4.0));
        System.out.println(Math.multiplyHigh(Long.MAX_VALUE, Long.MAX_VALUE));
        attempt(() -> Math.addExact(Integer.MAX_VALUE, 1));
        attempt(() -> Math.addExact(Long.MAX_VALUE, 1L));
        attempt(() -> Math.multiplyExact(1 << 16, 1 << 15));
        attempt(() -> Math.multiplyExact(1L << 32, 1L << 31));
        attempt(() -> Math.subtractExact(Integer.MIN_VALUE, 1));
        attempt(() -> Math.negateExact(Integer.MIN_VALUE));
        attempt(() -> Math.toIntExact(1L << 31));
        attempt(() -> Math.toIntExact(-5));
        attempt(() -> Math.incrementExact(Integer.MAX_VALUE));
    }
}
