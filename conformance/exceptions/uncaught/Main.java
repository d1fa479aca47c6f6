package exceptions.uncaught;

/** An uncaught exception with a cause: trace on standard error and exit code 1. */
public class Main {
    static void low(int i) {
        if (i > 2) throw new IllegalArgumentException("too big: " + i);
        low(i + 1);
    }

    static void high() {
        try {
            low(0);
        } catch (IllegalArgumentException e) {
            throw new IllegalStateException("wrapped", e);
        }
    }

    public static void main(String[] args) {
        System.out.println("before");
        System.err.println("Exception-free line on standard error");
        try {
            high();
        } finally {
            System.out.print("finally, no newline at the end");
        }
    }
}
