package arithmetic.floats;

/** float arithmetic, rounding to 24 bits, signed zero, infinities and NaN. */
public class Main {
    static float[] values = {0f, -0f, 1f, -1f, 0.1f, 3.5f, 16777216f, 1e38f, Float.MIN_VALUE,
        Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY, Float.NaN};

    static String bits(float f) {
        return Integer.toHexString(Float.floatToIntBits(f));
    }

    public static void main(String[] args) {
        for (float a : values) {
            for (float b : values) {
                System.out.println(bits(a + b) + " " + bits(a - b) + " " + bits(a * b) + " " + bits(a / b)
                        + " " + bits(a % b));
            }
            System.out.println(bits(-a));
        }
        float big = values[6];
        System.out.println(big + 1f == big);
        System.out.println(values[4] + 0.2f);
        System.out.println((double) values[4]);
        System.out.println(values[4] == 0.1);
        System.out.println(1f / values[0] + " " + 1f / values[1]);
        System.out.println(values[0] == values[1]);
        System.out.println(values[11] == values[11]);
        System.out.println(5.5f % 2f + " " + -5.5f % 2f + " " + 5.5f % -2f);
        float sum = 0;
        for (int i = 0; i < 10; i++) {
            sum += 0.1f;
        }
        System.out.println(sum);
        int i = 3;
        i += 1.7f;
        System.out.println(i);
        i *= 2.5;
        System.out.println(i);
    }
}
