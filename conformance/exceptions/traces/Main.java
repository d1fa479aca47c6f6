package exceptions.traces;

/** Stack trace elements: class, method and line of each frame of ours. */
public class Main {
    int field = 1;

    static void show(Throwable t) {
        for (StackTraceElement e : t.getStackTrace()) {
            System.out.println("  " + e.getClassName() + "." + e.getMethodName() + "(" + e.getFileName() + ":"
                    + e.getLineNumber() + ")");
        }
    }

    static Exception make() {
        return new Exception(
                "made here");
    }

    static int divide(int a, int b) {
        int c = a + b;
        return c
                / b;
    }

    Main() {
        this(null);
    }

    Main(Main other) {
        if (other == null) {
            throw new IllegalStateException("in constructor");
        }
    }

    static class Inner {
        static {
            if (Main.class != null)
                throw new IllegalArgumentException("in clinit");
        }
    }

    static void recurse(int n) {
        if (n == 0)
            throw new RuntimeException("deep");
        recurse(n - 1);
    }

    public static void main(String[] args) {
        show(make());
        Exception kept = make();
        try {
            divide(4, 0);
        } catch (ArithmeticException e) {
            show(e);
        }
        try {
            new Main();
        } catch (IllegalStateException e) {
            show(e);
        }
        try {
            new Inner();
        } catch (ExceptionInInitializerError e) {
            show(e);
            show(e.getCause());
        }
        try {
            recurse(3);
        } catch (RuntimeException e) {
            show(e);
            System.out.println(e.getStackTrace()[0]);
        }
        try {
            int[] a = new int[1];
            a[0] = 1;
            a[a[0]]
                    = 5;
        } catch (ArrayIndexOutOfBoundsException e) {
            show(e);
        }
        try {
            throw kept;
        } catch (Exception e) {
            show(e);
            e.fillInStackTrace();
            show(e);
            e.setStackTrace(new StackTraceElement[] {new StackTraceElement("C", "m", "F.java", 5)});
            show(e);
            System.out.println(e.getStackTrace()[0]);
        }
    }
}
