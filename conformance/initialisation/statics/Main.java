package initialisation.statics;

/** Static initialisation: cycles between nested classes, constants, arrays, literals, interfaces. */
public final class Main {
    static int note(String s) {
        System.out.println(s);
        return s.length();
    }

    static class A {
        static int before = note("A before, B.x is " + B.x);
        static int x = 5;
    }

    static class B {
        static int x = A.x + 1;
        static int y = note("B has x " + x);
    }

    interface Plain {
        int P = note("Plain");
        int CONSTANT = 7;
    }

    interface WithDefault extends Plain {
        int W = note("WithDefault");

        default void hello() {
        }
    }

    static class Impl implements WithDefault {
        static int i = note("Impl");
    }

    static class Lazy {
        static final Lazy INSTANCE = new Lazy();
        static int count = 10;
        int seen;

        Lazy() {
            seen = count++;
        }
    }

    static class Constants {
        static final int I = 3;
        static final String S = "s";
        static final Integer BOXED = 4;

        static {
            note("Constants");
        }
    }

    public static void main(String[] args) {
        System.out.println(Plain.CONSTANT + Constants.I + Constants.S);
        System.out.println(new Impl[1].length + " " + Impl.class.getSimpleName() + " " + (args instanceof Object));
        new Impl();
        System.out.println(Impl.P);
        System.out.println(A.x + " " + B.x);
        System.out.println(Lazy.INSTANCE.seen + " " + Lazy.count);
        System.out.println(Constants.BOXED);
    }
}
