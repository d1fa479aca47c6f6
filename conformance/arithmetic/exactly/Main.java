package arithmetic.exactly;

/** Math.*Exact, floorDiv, floorMod, clamps and absolute values at the limits. */
import java.util.function.Supplier;

public final class Main {
    private static void show(String what, Supplier<Object> s) {
        Object r;
        try {
            r = s.get();
        } catch (ArithmeticException e) {
            r = e.getMessage();
        }
        System.out.println(what + " " + r);
    }

    public static void main(String[] args) {
        int[] is = {0, 1, -1, 46341, -46341, Integer.MAX_VALUE, Integer.MIN_VALUE};
        for (int a : is) {
            show("neg", () -> Math.negateExact(a));
            show("inc", () -> Math.incrementExact(a));
            show("dec", () -> Math.decrementExact(a));
            show("abs", () -> Math.abs(a));
            show("long", () -> Math.toIntExact(a * 3L));
            for (int b : is) {
                show(a + "+" + b, () -> Math.addExact(a, b));
                show(a + "-" + b, () -> Math.subtractExact(a, b));
                show(a + "*" + b, () -> Math.multiplyExact(a, b));
                show(a + "//" + b, () -> Math.floorDiv(a, b));
                show(a + "%%" + b, () -> Math.floorMod(a, b));
                show("full", () -> Math.multiplyFull(a, b));
            }
        }
        long[] ls = {0, 3, -3, 3037000500L, Long.MAX_VALUE, Long.MIN_VALUE};
        for (long a : ls) {
            for (long b : ls) {
                show("L+", () -> Math.addExact(a, b));
                show("L-", () -> Math.subtractExact(a, b));
                show("L*", () -> Math.multiplyExact(a, b));
                show("L/", () -> Math.floorDiv(a, b));
                show("L%", () -> Math.floorMod(a, b));
                show("Lh", () -> Math.multiplyHigh(a, b));
            }
        }
    }
}
