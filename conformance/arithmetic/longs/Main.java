package arithmetic.longs;

/** Two's complement arithmetic of long and the three-way comparison lcmp. */
public class Main {
    static long[] values = {0, 1, -1, 3, -3, 1L << 32, -(1L << 32), 3037000500L, Long.MAX_VALUE, Long.MIN_VALUE};

    static String compare(long a, long b) {
        String r = "";
        if (a < b) r += "<";
        if (a <= b) r += "<=";
        if (a == b) r += "==";
        if (a != b) r += "!=";
        if (a >= b) r += ">=";
        if (a > b) r += ">";
        return r;
    }

    public static void main(String[] args) {
        for (long a : values) {
            for (long b : values) {
                System.out.println(a + " " + b + ": " + (a + b) + " " + (a - b) + " " + (a * b) + " " + compare(a, b));
                System.out.println("  " + (a & b) + " " + (a | b) + " " + (a ^ b));
                if (b != 0) {
                    System.out.println("  " + (a / b) + " " + (a % b));
                }
            }
            System.out.println(-a + " " + ~a);
        }
        try {
            System.out.println(5L / values[0]);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(5L % values[0]);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
