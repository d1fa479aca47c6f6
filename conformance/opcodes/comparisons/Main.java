package opcodes.comparisons;

/** Each comparison of each kind, as a value, as a condition and negated. */
public final class Main {
    private static String ints(int a, int b) {
        return "" + (a < b) + (a <= b) + (a == b) + (a != b) + (a >= b) + (a > b)
                + (a < 0) + (a <= 0) + (a == 0) + (a != 0) + (a >= 0) + (a > 0);
    }

    private static String longs(long a, long b) {
        int n = 0;
        if (a < b) n |= 1;
        if (a <= b) n |= 2;
        if (a == b) n |= 4;
        if (a != b) n |= 8;
        if (a >= b) n |= 16;
        if (a > b) n |= 32;
        if (!(a < b)) n |= 64;
        return "" + n;
    }

    private static String doubles(double a, double b) {
        int n = 0;
        if (a < b) n |= 1;
        if (a <= b) n |= 2;
        if (a == b) n |= 4;
        if (a != b) n |= 8;
        if (a >= b) n |= 16;
        if (a > b) n |= 32;
        if (!(a < b)) n |= 64;
        if (!(a <= b)) n |= 128;
        if (!(a > b)) n |= 256;
        if (!(a >= b)) n |= 512;
        return "" + n;
    }

    private static String floats(float a, float b) {
        int n = 0;
        while (a < b) { n |= 1; break; }
        while (a >= b) { n |= 2; break; }
        while (!(a < b)) { n |= 4; break; }
        while (!(a >= b)) { n |= 8; break; }
        while (a == b) { n |= 16; break; }
        return "" + n;
    }

    private static String objects(Object a, Object b) {
        return "" + (a == b) + (a != b) + (a == null) + (b != null);
    }

    public static void main(String[] args) {
        int[] is = {0, 1, -1, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int a : is) {
            for (int b : is) {
                System.out.println(ints(a, b) + " " + longs(a, b) + " " + longs((long) a << 32, (long) b << 32));
            }
        }
        double[] ds = {0.0, -0.0, 1.0, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.MIN_VALUE};
        for (double a : ds) {
            for (double b : ds) {
                System.out.println(doubles(a, b) + " " + floats((float) a, (float) b));
            }
        }
        String x = "x";
        System.out.println(objects(x, x) + objects(x, null) + objects(null, null) + objects(null, x));
    }
}
