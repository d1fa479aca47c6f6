package arithmetic.ints;

/** Two's complement arithmetic of int: overflow, division and remainder corners. */
public class Main {
    static int[] values = {0, 1, -1, 2, -2, 7, -7, 100, 46341, -46341, Integer.MAX_VALUE, Integer.MIN_VALUE};

    public static void main(String[] args) {
        for (int a : values) {
            for (int b : values) {
                System.out.println(a + " " + b + " add " + (a + b) + " sub " + (a - b) + " mul " + (a * b));
                if (b != 0) {
                    System.out.println("  div " + (a / b) + " rem " + (a % b));
                }
                System.out.println("  and " + (a & b) + " or " + (a | b) + " xor " + (a ^ b));
            }
            System.out.println("neg " + (-a) + " not " + (~a) + " plus " + (+a));
        }
        int min = values[values.length - 1];
        System.out.println(min / -1);
        System.out.println(min % -1);
        System.out.println(Math.abs(min));
        System.out.println(-7 / values[3] + " " + -7 % values[3]);
        System.out.println(7 / values[4] + " " + 7 % values[4]);
        try {
            System.out.println(1 / values[0]);
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
        try {
            System.out.println(1 % values[0]);
        } catch (ArithmeticException e) {
            System.out.println(e);
        }
    }
}
