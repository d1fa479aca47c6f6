package arithmetic.doubles;

/** double arithmetic: rounding, signed zero, infinities, NaN, remainder. */
public class Main {
    static double[] values = {0d, -0d, 1d, -1d, 0.1, 2.5, 1e308, Double.MIN_VALUE, 9007199254740992d,
        Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY, Double.NaN};

    static String bits(double d) {
        return Long.toHexString(Double.doubleToLongBits(d));
    }

    public static void main(String[] args) {
        for (double a : values) {
            for (double b : values) {
                System.out.println(bits(a + b) + " " + bits(a - b) + " " + bits(a * b) + " " + bits(a / b)
                        + " " + bits(a % b));
            }
            System.out.println(bits(-a));
        }
        System.out.println(values[4] + 0.2);
        System.out.println(values[8] + 1 == values[8]);
        System.out.println(0.0 / values[0]);
        System.out.println(-1.0 / values[0]);
        System.out.println(1e200 * values[6]);
        System.out.println(values[7] / 2);
        System.out.println(-5.5 % values[5]);
        System.out.println(1e17 % 3.0 * values[2]);
        double d = 1;
        int steps = 0;
        while (d > 0) {
            d /= 2;
            steps++;
        }
        System.out.println(steps);
        d = 1;
        while (1 + d != 1) {
            d /= 2;
        }
        System.out.println(d);
        d++;
        System.out.println(d);
    }
}
