package control.assertions;

/** Assertions are off unless asked for, their expressions not evaluated. */
public class Main {
    static int evaluated;

    static boolean check(boolean value) {
        evaluated++;
        return value;
    }

    static class Nested {
        static final boolean ENABLED;

        static {
            boolean on = false;
            assert on = true;
            ENABLED = on;
        }

        int half(int n) {
            assert n % 2 == 0 : "odd: " + n;
            return n / 2;
        }
    }

    interface Checked {
        default int plus(int n) {
            assert check(n > 0);
            return n + 1;
        }
    }

    public static void main(String[] args) {
        assert check(false);
        assert check(false) : check(true);
        System.out.println(evaluated + " " + Nested.ENABLED + " " + new Nested().half(7));
        System.out.println(new Checked() { }.plus(-1) + " " + evaluated);
        System.out.println(Main.class.desiredAssertionStatus());
        try {
            throw new AssertionError("by hand", new RuntimeException("cause"));
        } catch (AssertionError e) {
            System.out.println(e + " " + e.getCause().getMessage());
        }
        Object[] details = {null, 1, 2L, 1.5f, 2.5, 'c', true, "text"};
        for (Object d : details) {
            System.out.println(new AssertionError(d).getMessage());
        }
        System.out.println(new AssertionError().getMessage() + " " + new AssertionError(new Exception("e")).getCause());
    }
}
