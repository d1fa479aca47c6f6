package format.floats;

/** String.format of floating point values: fixed, scientific, general, rounding. */
public class Main {
    static void f(String format, Object... args) {
        System.out.println("[" + String.format(java.util.Locale.ROOT, format, args) + "]");
    }

    public static void main(String[] args) {
        f("%f %f %f", 1.0, -2.5f, 1e10);
        f("%.0f %.0f %.0f %.0f", 0.5, 1.5, 2.5, -0.5);
        f("%.2f %.2f %.2f", 1.005, 2.675, 1.125);
        f("%10.3f|%-10.3f|%010.3f|%+.1f", Math.PI, Math.PI, -Math.PI, Math.E);
        f("%e %.2e %E", 12345.678, 0.00012345, 1.0);
        f("%g %g %g", 0.0001, 123456.0, 1e-5);
        f("%,.2f %(.1f", 1234567.891, -1.25);
        f("%f %e %s", Double.NaN, Double.POSITIVE_INFINITY, -0.0);
        f("%.3f %.1f", 0.0, -0.04);
        f("%a", 1.5);
        f("%s %s", 1.0f, 100.0);
        f("%.20f", 0.1);
        f("%.3f", new java.math.BigDecimal("2.0005"));
    }
}
