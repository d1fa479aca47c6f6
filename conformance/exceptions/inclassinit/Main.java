package exceptions.inclassinit;

/** Errors inside initialisers: of fields, of instances, of enum constants, of interfaces. */
public final class Main {
    static class Bad {
        static int before = 1;
        static int value = 1 / (before - 1);
        static int after = 2;
    }

    enum Flawed {
        A, B(null);

        Flawed() {
        }

        Flawed(String s) {
            s.length();
        }
    }

    interface Constants {
        Object X = make();

        private static Object make() {
            throw new IllegalStateException("interface");
        }
    }

    static class UsesConstants implements Constants {
        static Object read() {
            return X;
        }
    }


    static class ErrorThrown {
        static {
            if (true) {
                throw new StackOverflowError("direct");
            }
        }
    }

    static class Instance {
        int[] data = new int[size];
        static int size = -1;
    }

    private static void attempt(String what, Runnable r) {
        for (int i = 0; i < 2; i++) {
            try {
                r.run();
                System.out.println(what + " fine");
            } catch (Throwable t) {
                System.out.println(what + " " + t.getClass().getSimpleName() + " " + t.getMessage() + (t.getCause() == null ? "" : " by " + t.getCause().getClass().getSimpleName()));
            }
        }
    }

    public static void main(String[] args) {
        attempt("bad", () -> System.out.println(Bad.after));
        attempt("enum", () -> System.out.println(Flawed.A));
        attempt("interface", () -> System.out.println(UsesConstants.read()));
        attempt("new", () -> new UsesConstants());
        attempt("error", () -> new ErrorThrown());
        attempt("instance", () -> new Instance());
        Instance.size = 2;
        attempt("instance", () -> System.out.println(new Instance().data.length));
        attempt("array of bad", () -> System.out.println(new Bad[3].length));
        attempt("literal of bad", () -> System.out.println(Bad.class.getSimpleName()));
    }
}
