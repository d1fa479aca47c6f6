package initialisation.interfaces;

/** Interfaces are initialised by field access, or with a class only when they declare defaults. */
public class Main {
    static int log(String s) {
        System.out.println("init " + s);
        return s.length();
    }

    interface Plain {
        int P = log("Plain");

        void work();
    }

    interface WithDefault {
        int D = log("WithDefault");

        default void help() {
            System.out.println("help");
        }
    }

    interface SubOfDefault extends WithDefault {
        int S = log("SubOfDefault");
    }

    interface WithStatic {
        int T = log("WithStatic");

        static void util() {
            System.out.println("util");
        }
    }

    interface Unused {
        int U = log("Unused");
        int V = 8;
        String W = "w" + V;
    }

    static class Base implements Plain {
        static int b = log("Base");

        public void work() {
            System.out.println("work");
        }
    }

    static class Impl extends Base implements SubOfDefault, WithStatic, Unused {
        static int i = log("Impl");
    }

    public static void main(String[] args) {
        new Base().work();
        System.out.println("--");
        Impl impl = new Impl();
        impl.help();
        System.out.println("--");
        System.out.println(Impl.V + Impl.W);
        System.out.println(Impl.S);
        System.out.println(Impl.P);
        WithStatic.util();
        System.out.println(WithStatic.T);
        SubOfDefault lambdaFree = new SubOfDefault() { };
        lambdaFree.help();
    }
}
