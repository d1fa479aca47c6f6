package objects.construction;

/** Constructors: chaining, virtual calls before initialisation, initialiser blocks, order. */
public class Main {
    static class Log {
        static StringBuilder text = new StringBuilder();

        static int add(String s) {
            text.append(s).append(' ');
            return s.length();
        }
    }

    static class A {
        int x = Log.add("A.x");

        { Log.add("A.block"); }

        A() {
            this(Log.add("A()"));
            Log.add("A()end");
        }

        A(int n) {
            Log.add("A(" + n + ")");
            hook();
        }

        void hook() {
            Log.add("A.hook");
        }
    }

    static class B extends A {
        int y = 5;
        final int z = 6;
        final String s = "constant";
        String t = "assigned";

        B() {
            Log.add("B()" + y);
        }

        B(String s) {
            super(s.length());
            Log.add("B(s)" + y);
        }

        @Override
        void hook() {
            Log.add("B.hook:y=" + y + ",z=" + z + ",s=" + s + ",t=" + t);
            y = 100;
        }
    }

    static class C extends B {
        C() {
            super("four");
            Log.add("C()");
        }

        int last = Log.add("C.last");
    }

    public static void main(String[] args) {
        new A();
        System.out.println(Log.text);
        Log.text.setLength(0);
        System.out.println(new B().y);
        System.out.println(Log.text);
        Log.text = new StringBuilder();
        C c = new C();
        System.out.println(Log.text);
        System.out.println(c.x + " " + c.y + " " + c.last + " " + c.t);
        Object o = new Object() {
            final int captured;

            {
                captured = c.y + 1;
            }

            @Override
            public String toString() {
                return "captured " + captured;
            }
        };
        System.out.println(o);
    }
}
