package initialisation.failure;

/** A failing static initialiser: ExceptionInInitializerError once, then NoClassDefFoundError. */
public class Main {
    static class Bad {
        static int x = Integer.parseInt("bad");
        static final int FOLDED = 9;
        static int y = 5;
    }

    static class ThrowsError {
        static {
            System.out.println("about to fail");
            if (true) throw new AssertionError("inside");
        }

        static void m() { }
    }

    static class NeedsBad extends Bad {
        static {
            System.out.println("never");
        }
    }

    static class Wraps {
        static int z;

        static {
            try {
                z = Bad.y;
            } catch (NoClassDefFoundError e) {
                z = -1;
            }
        }
    }

    public static void main(String[] args) {
        System.out.println(Bad.FOLDED);
        try {
            System.out.println(Bad.x);
        } catch (ExceptionInInitializerError e) {
            System.out.println(e.getMessage() + " / " + e.getCause() + " / " + (e.getException() == e.getCause()));
        }
        for (int i = 0; i < 2; i++) {
            try {
                System.out.println(Bad.y);
            } catch (NoClassDefFoundError e) {
                System.out.println(e.getMessage());
            }
        }
        try {
            new Bad();
        } catch (NoClassDefFoundError e) {
            System.out.println("new: " + e.getMessage());
        }
        try {
            new NeedsBad();
        } catch (NoClassDefFoundError e) {
            System.out.println("sub: " + e.getMessage());
        }
        try {
            ThrowsError.m();
        } catch (AssertionError e) {
            System.out.println("error as it is: " + e.getMessage());
        }
        try {
            ThrowsError.m();
        } catch (NoClassDefFoundError e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Wraps.z);
    }
}
