package dispatch.overriding;

/** Virtual, static, private and super calls through a small hierarchy. */
public class Main {
    static class A {
        String virtual() { return "A.virtual"; }
        static String fixed() { return "A.fixed"; }
        private String hidden() { return "A.hidden"; }
        String callHidden() { return hidden(); }
        String callFixed() { return fixed(); }
        String callVirtual() { return virtual(); }
        final String last() { return "A.last+" + virtual(); }
        String argument(Object o) { return "A.argument(Object)"; }
        protected Object covariant() { return "A.covariant"; }
    }

    static class B extends A {
        @Override String virtual() { return "B.virtual>" + super.virtual(); }
        static String fixed() { return "B.fixed"; }
        private String hidden() { return "B.hidden"; }
        String own() { return hidden() + callHidden(); }
        String argument(String s) { return "B.argument(String)"; }
        @Override public String covariant() { return "B.covariant>" + super.covariant(); }
    }

    static class C extends B {
        @Override String virtual() { return "C.virtual>" + super.virtual(); }
        @Override String argument(Object o) { return "C.argument(Object)"; }
    }

    static abstract class Template {
        String run() { return before() + body() + after(); }
        String before() { return "<"; }
        abstract String body();
        String after() { return ">"; }
    }

    public static void main(String[] args) {
        A[] all = {new A(), new B(), new C()};
        for (A a : all) {
            System.out.println(a.virtual() + " " + a.fixed() + " " + a.callHidden() + " " + a.callFixed() + " "
                    + a.callVirtual() + " " + a.last() + " " + a.argument("s") + " " + a.covariant());
        }
        B b = new C();
        System.out.println(b.fixed() + " " + b.own() + " " + b.argument("s") + " " + b.argument((Object) "s"));
        System.out.println(new Template() {
            String body() { return "anonymous"; }
        }.run());
        System.out.println(new Template() {
            String body() { return "other"; }
            @Override String after() { return "!" + super.after(); }
        }.run());
        Object o = new B() {
            @Override public String toString() { return "toString " + virtual(); }
        };
        System.out.println(o);
    }
}
