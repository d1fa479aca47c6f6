package numbers.doubletext;

/** Double and Float to text and back, on values whose shortest form is undisputed. */
public class Main {
    public static void main(String[] args) {
        double[] doubles = {0, -0.0, 1, -1, 0.1, 0.5, 100, 1234567, 9999999, 1e7, 1.0E7 + 1, 0.001, 0.0009, 123.456, 1e-5,
            3.141592653589793, 2.718281828459045, 1.0 / 3, 2.0 / 3, 1e15, 1e16, 1e100, 1e-100, 1e22, Double.MAX_VALUE,
            Double.MIN_VALUE, Double.MIN_NORMAL, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
            9007199254740993.0, 4503599627370495.5, 0.30000000000000004, 5e-324, 1.7976931348623157e308};
        for (double d : doubles) {
            String s = Double.toString(d);
            System.out.println(s + " " + (Double.compare(Double.parseDouble(s), d) == 0));
        }
        float[] floats = {0, -0f, 1, 0.1f, 0.5f, 1234567, 1e7f, 1e10f, 3.4028235e38f, 1.5e-45f, 0.001f, 33333.332f, Float.NaN,
            Float.NEGATIVE_INFINITY, 16777216f, 0.33333334f};
        for (float f : floats) {
            String s = Float.toString(f);
            System.out.println(s + " " + (Float.compare(Float.parseFloat(s), f) == 0));
        }
        String[] texts = {"1", "-1.5e3", "  7  ", "0x1.8p1", "1d", "2f", "NaN", "-Infinity", "1e400", "1e-400", ".5", "5.", "+3",
            "179769313486231580793728971405301e276", "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
            "9007199254740993", "0.1000000000000000055511151231257827", "1e23"};
        for (String t : texts) {
            System.out.println(t + " " + Long.toHexString(Double.doubleToLongBits(Double.parseDouble(t))));
        }
        for (String t : new String[] {"", "abc", "1,5", "1e", "0x1", "--1", "1 2"}) {
            try {
                System.out.println(Double.parseDouble(t));
            } catch (NumberFormatException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(Float.parseFloat("3.5E-38f") + " " + Float.parseFloat("0.1") + " " + Float.parseFloat("1e39"));
        System.out.println(Double.toHexString(1.0) + " " + Double.toHexString(-0.1) + " " + Double.toHexString(Double.MIN_VALUE));
        System.out.println(Double.hashCode(1.5) + " " + Float.hashCode(1.5f) + " " + Double.isNaN(0.0 / 0) + " " + Double.isInfinite(1 / 0.0));
        System.out.println(Float.intBitsToFloat(0x7f800001) + " " + Double.longBitsToDouble(0x3ff8000000000000L)
                + " " + Integer.toHexString(Float.floatToRawIntBits(-2f)) + " " + Double.valueOf("3.5").intValue());
    }
}
