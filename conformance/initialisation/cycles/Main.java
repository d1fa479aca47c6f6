package initialisation.cycles;

/** Classes that need each other while they are initialised see default values. */
public class Main {
    static class A {
        static final int EARLY = 1;
        static int a = B.b + 1;

        static {
            System.out.println("A done a=" + a + " B.b=" + B.b);
        }
    }

    static class B {
        static int b = A.a + 10;
        static int early = A.EARLY;

        static {
            System.out.println("B done b=" + b + " early=" + early);
        }
    }

    static class Node {
        static final Node ROOT = new Node(null);
        static final java.util.ArrayList<String> NAMES = new java.util.ArrayList<>();
        final Node parent;

        Node(Node parent) {
            this.parent = parent;
            System.out.println(NAMES == null ? "too early" : "ready");
        }
    }

    static class Lazy {
        private static class Holder {
            static final Lazy INSTANCE = new Lazy();
        }

        Lazy() {
            System.out.println("lazy made");
        }

        static Lazy get() {
            System.out.println("get");
            return Holder.INSTANCE;
        }
    }

    static int counter = start();
    static int after = counter + 1;
    static int forward;

    static {
        forward = 3;
    }

    static int start() {
        System.out.println("forward=" + forward + " after=" + after);
        forward = 50;
        return 7;
    }

    public static void main(String[] args) {
        System.out.println(counter + " " + after + " " + forward);
        System.out.println(A.a + " " + B.b);
        new Node(Node.ROOT);
        System.out.println(Lazy.get() == Lazy.get());
    }
}
