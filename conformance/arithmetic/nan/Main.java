package arithmetic.nan;

/** Every comparison with NaN is false but !=, whichever of cmpl and cmpg javac picks. */
public class Main {
    static void floats(float a, float b) {
        System.out.println(a + "," + b + " " + (a < b) + (a <= b) + (a == b) + (a != b) + (a >= b) + (a > b)
                + " " + !(a < b) + !(a <= b) + !(a >= b) + !(a > b));
        if (a < b) System.out.println("f<"); else System.out.println("f not <");
        if (a > b) System.out.println("f>"); else System.out.println("f not >");
    }

    static void doubles(double a, double b) {
        System.out.println(a + "," + b + " " + (a < b) + (a <= b) + (a == b) + (a != b) + (a >= b) + (a > b)
                + " " + !(a < b) + !(a <= b) + !(a >= b) + !(a > b));
        if (a <= b) System.out.println("d<="); else System.out.println("d not <=");
        if (a >= b) System.out.println("d>="); else System.out.println("d not >=");
    }

    public static void main(String[] args) {
        float[] f = {Float.NaN, 0f, -0f, 1f, Float.POSITIVE_INFINITY, Float.NEGATIVE_INFINITY};
        for (float a : f) {
            for (float b : f) {
                floats(a, b);
                doubles(a, b);
            }
        }
        System.out.println(Float.compare(Float.NaN, f[4]) + " " + Float.compare(f[2], f[1]));
        System.out.println(Double.compare(1, Double.NaN) + " " + Double.compare(0.0, -0.0));
        System.out.println(Double.valueOf(Double.NaN).equals(0.0 / 0.0));
        System.out.println(Double.valueOf(0.0).equals(-0.0));
        System.out.println(Math.min(-0.0, 0.0) + " " + Math.max(-0.0f, 0.0f) + " " + Math.max(1, Double.NaN));
    }
}
