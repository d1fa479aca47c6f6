package exceptions.multiline;

/** An uncaught exception whose message has several lines, thrown by a lambda in a nested call. */
public class Main {
    interface Step {
        void run() throws Exception;
    }

    static class Problem extends Exception {
        Problem(String message) {
            super(message);
            addSuppressed(new IllegalStateException("suppressed"));
        }
    }

    static void twice(Step step) throws Exception {
        step.run();
        step.run();
    }

    static int runs;

    public static void main(String[] args) throws Exception {
        twice(() -> {
            System.out.println("run " + ++runs);
            if (runs == 2) throw new Problem("first line\nsecond line");
        });
        System.out.println("never");
    }
}
