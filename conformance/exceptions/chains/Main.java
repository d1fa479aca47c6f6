package exceptions.chains;

import java.io.PrintWriter;
import java.io.StringWriter;

/** Causes, suppressed exceptions, traces as data. */
public class Main {
    record Closer(String name) implements AutoCloseable {
        @Override
        public void close() {
            throw new IllegalStateException(name);
        }
    }

    @SuppressWarnings("finally")
    static int finished() {
        try {
            throw new RuntimeException();
        } finally {
            return 5;
        }
    }

    public static void main(String[] args) {
        Exception inner = new IllegalStateException("inner");
        Exception outer = new RuntimeException("outer", inner);
        System.out.println(outer.getCause() == inner);
        System.out.println(new RuntimeException(inner).getMessage());
        try (Closer first = new Closer("first"); Closer second = new Closer("second")) {
            throw new IllegalArgumentException("body");
        } catch (IllegalArgumentException thrown) {
            for (Throwable suppressed : thrown.getSuppressed()) {
                System.out.println("suppressed " + suppressed.getMessage());
            }
        }
        try {
            outer.initCause(inner);
        } catch (IllegalStateException thrown) {
            System.out.println("cause is set");
        }
        try {
            inner.initCause(inner);
        } catch (IllegalArgumentException thrown) {
            System.out.println(thrown.getMessage());
        }
        StackTraceElement[] trace = new Throwable().getStackTrace();
        System.out.println(trace[0].getMethodName() + " " + trace[0].getFileName() + " " + trace.length);
        outer.setStackTrace(new StackTraceElement[] {new StackTraceElement("C", "m", "F.java", 7)});
        StringWriter text = new StringWriter();
        inner.setStackTrace(new StackTraceElement[0]);
        outer.printStackTrace(new PrintWriter(text));
        System.out.print(text.toString().replace("\r", ""));
        Throwable bare = new Throwable("bare", null, false, false) { };
        bare.addSuppressed(inner);
        System.out.println(bare.getSuppressed().length + " " + bare.getStackTrace().length);
        try {
            Object object = "s";
            System.out.println((Integer) object);
        } catch (ClassCastException thrown) {
            System.out.println("cast");
        }
        System.out.println(finished());
    }
}
