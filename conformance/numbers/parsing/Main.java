package numbers.parsing;

/** Reading doubles and floats from text, and their bits. */
public final class Main {
    public static void main(String[] args) {
        String[] texts = {"0", "-0", "1", "1.", ".5", "1e3", "1E-3", "  2.5  ", "1f", "1d", "0x1p3", "0x1.8p1", "-0x1p-1074", "NaN",
            "-Infinity", "+Infinity", "1e400", "-1e400", "1e-400", "4.9e-324", "2.4e-324", "1.7976931348623157e308", "1.7976931348623159e308",
            "2.2250738585072012e-308", "9007199254740993", "123456789012345678901234567890", "0.1", "0.30000000000000004", "3.4028235e38",
            "3.4028236e38", "1.4e-45", "0.7e-45", "16777217", "33554435", "1e23", "8.5e22", "", " ", "e5", "1e", "0x", "1.2.3", "inf", "--1"};
        for (String t : texts) {
            try {
                double d = Double.parseDouble(t);
                float f = Float.parseFloat(t);
                System.out.println("'" + t + "' " + Long.toHexString(Double.doubleToLongBits(d)) + " " + Integer.toHexString(Float.floatToIntBits(f)));
            } catch (NumberFormatException e) {
                System.out.println("'" + t + "' " + e.getMessage());
            }
        }
        System.out.println(Double.toHexString(0.1) + " " + Double.toHexString(-0.0) + " " + Double.toHexString(Double.MIN_VALUE)
                + " " + Double.toHexString(1e300) + " " + Float.toHexString(0.1f) + " " + Double.toHexString(Double.NaN));
        System.out.println(Math.ulp(1.0) + " " + Math.ulp(1f) + " " + Math.nextUp(1.0) + " " + Math.nextDown(0.0f) + " " + Math.getExponent(1e10)
                + " " + Math.scalb(1.5, 10) + " " + Math.rint(2.5) + " " + Math.rint(-3.5) + " " + Math.round(-2.5) + " " + Math.round(2.5f)
                + " " + Math.round(Double.NaN) + " " + Math.round(1e30) + " " + Math.copySign(3, -0.0) + " " + Math.signum(-2.0));
        System.out.println(Double.compare(0.0, -0.0) + " " + Double.compare(Double.NaN, 1) + " " + Double.valueOf(0.0).equals(-0.0)
                + " " + Double.valueOf(Double.NaN).equals(Double.NaN) + " " + Double.hashCode(1.5) + " " + Float.hashCode(1.5f)
                + " " + Double.isFinite(1 / 0.0) + " " + Double.isNaN(0 / 0.0) + " " + Double.max(-0.0, 0.0) + " " + Math.min(-0.0f, 0.0f));
    }
}
