package exceptions.suppressing;

/** Order of suppressed exceptions, causes, printed traces, rethrowing and stack frames. */
public final class Main {
    static class Resource implements AutoCloseable {
        private final String name;
        private final boolean fails;

        Resource(String name, boolean fails) {
            System.out.println("open " + name);
            this.name = name;
            this.fails = fails;
        }

        @Override
        public void close() throws java.io.IOException {
            System.out.println("close " + name);
            if (fails) {
                throw new java.io.IOException("close of " + name);
            }
        }
    }

    static class Own extends Exception {
        Own(String message, Throwable cause) {
            super(message, cause);
        }

        @Override
        public String toString() {
            return "Own!" + getMessage();
        }
    }

    private static void show(Throwable t, String indent) {
        System.out.println(indent + t);
        for (Throwable s : t.getSuppressed()) {
            show(s, indent + " s ");
        }
        if (t.getCause() != null) {
            show(t.getCause(), indent + " c ");
        }
    }

    private static void run(int how) throws Exception {
        try (Resource a = new Resource("a", how > 0); Resource none = null; Resource b = new Resource("b", how > 1)) {
            if (how == 3) {
                throw new IllegalStateException("body");
            }
            System.out.println("body " + how);
        } catch (IllegalStateException e) {
            throw new Own("wrapped", e);
        } finally {
            System.out.println("finally");
        }
    }

    public static void main(String[] args) {
        for (int how = 0; how < 4; how++) {
            try {
                run(how);
            } catch (Exception e) {
                show(e, "");
            }
        }
        java.io.StringWriter w = new java.io.StringWriter();
        Own own = new Own("outer", new RuntimeException("inner", new Error("root")));
        own.addSuppressed(new Exception("side"));
        own.setStackTrace(new StackTraceElement[] {new StackTraceElement("p.C", "m", "C.java", 12), new StackTraceElement("p.D", "n", null, -2), new StackTraceElement("p.E", "o", "E.java", -1)});
        own.getCause().setStackTrace(new StackTraceElement[] {new StackTraceElement("p.X", "m", "X.java", 1), new StackTraceElement("p.E", "o", "E.java", -1)});
        own.getCause().getCause().setStackTrace(new StackTraceElement[0]);
        own.getSuppressed()[0].setStackTrace(new StackTraceElement[0]);
        own.printStackTrace(new java.io.PrintWriter(w));
        System.out.print(w);
        try {
            own.addSuppressed(own);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            new RuntimeException((Throwable) null).initCause(own);
        } catch (IllegalStateException e) {
            System.out.println("cause is set");
        }
        Throwable loop = new Error("loop");
        loop.initCause(new Error("back", loop));
        w = new java.io.StringWriter();
        loop.setStackTrace(new StackTraceElement[0]);
        loop.getCause().setStackTrace(new StackTraceElement[0]);
        loop.printStackTrace(new java.io.PrintWriter(w));
        System.out.print(w);
        StackTraceElement[] trace = new Throwable().getStackTrace();
        System.out.println(trace.length + " " + trace[0] + " " + new Throwable("x", null).getLocalizedMessage());
    }
}
