package initialisation.order;

/** Which uses initialise a class, in which order, and which do not. */
public class Main {
    static int log(String s) {
        System.out.println("init " + s);
        return s.length();
    }

    static class Parent {
        static int a = log("Parent");
        static final int CONSTANT = 42;
        static final String TEXT = "constant";
        static final Integer BOXED = 43;
        static int inherited = 5;

        static void call() {
            System.out.println("Parent.call");
        }
    }

    static class Child extends Parent {
        static int b = log("Child");
        static int own = 6;
    }

    static class Grandchild extends Child {
        static final int c;

        static {
            c = log("Grandchild") + b;
        }

        Grandchild() {
            System.out.println("new Grandchild");
        }
    }

    static class ByField { static int f = log("ByField"); }
    static class ByStore { static int f = log("ByStore"); }
    static class ByMethod { static { log("ByMethod"); } static void m() { System.out.println("m"); } }
    static class ByArray { static { log("ByArray"); } }
    static class ByName { static { log("ByName"); } }
    static class ByLiteral { static { log("ByLiteral"); } }
    static class ByCast { static { log("ByCast"); } }

    static class First {
        static First instance = new First();
        static int value = 10;
        int seen = value;
    }

    static {
        log("Main");
    }

    public static void main(String[] args) throws Exception {
        System.out.println("main");
        System.out.println(Parent.CONSTANT + Child.TEXT);
        Child none = null;
        System.out.println("Child.inherited only needs Parent");
        System.out.println(Child.inherited);
        Child.call();
        System.out.println(Parent.BOXED);
        System.out.println(Child.own);
        new Grandchild();
        new Grandchild();
        System.out.println(Grandchild.c);
        System.out.println(ByField.f);
        ByStore.f = 3;
        System.out.println(ByStore.f);
        ByMethod.m();
        ByArray[] array = new ByArray[2];
        System.out.println("array made " + array.length);
        System.out.println(ByLiteral.class.getSimpleName());
        Object o = "x";
        System.out.println(o instanceof ByCast);
        Class.forName(Main.class.getName() + "$ByName");
        System.out.println(First.instance.seen + " " + First.value);
    }
}
