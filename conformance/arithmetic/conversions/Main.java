package arithmetic.conversions;

/** Widening, narrowing and saturating conversions between the numeric types. */
public class Main {
    public static void main(String[] args) {
        int[] ints = {0, 127, 128, 255, 256, -128, -129, 32767, 32768, 65535, 65536, -1, Integer.MAX_VALUE,
            Integer.MIN_VALUE, 16777217};
        for (int i : ints) {
            System.out.println((byte) i + " " + (short) i + " " + (int) (char) i + " " + (long) i + " " + Float.floatToIntBits((float) i)
                    + " " + (double) i);
        }
        long[] longs = {0, 1L << 31, -(1L << 31) - 1, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE, 0x123456789abcdefL,
            9007199254740993L};
        for (long l : longs) {
            System.out.println((int) l + " " + (byte) l + " " + (short) l + " " + (int) (char) l);
            System.out.println(Float.floatToIntBits((float) l) + " " + Double.doubleToLongBits((double) l));
        }
        double[] doubles = {0, -0.0, 0.9, -0.9, 1.5, -1.5, 2147483647.5, 2147483648.0, -2147483649.0, 3e9, 1e19,
            -1e19, 1e300, Double.MIN_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, 65.7};
        for (double d : doubles) {
            System.out.println((int) d + " " + (long) d + " " + (byte) d + " " + (short) d + " " + (int) (char) d
                    + " " + Float.floatToIntBits((float) d));
        }
        for (double d : doubles) {
            float f = (float) d;
            System.out.println((int) f + " " + (long) f + " " + (byte) f + " " + (short) f + " " + (int) (char) f
                    + " " + Double.doubleToLongBits((double) f));
        }
    }
}
