package dispatch.interfaces;

/** Default, static and private interface methods, super-interface calls, diamonds. */
public class Main {
    interface Named {
        String name();
        default String greet() { return prefix() + name(); }
        private String prefix() { return "Hello "; }
        static Named of(String s) { return new Simple(s); }
    }

    interface Loud extends Named {
        @Override default String greet() { return Named.super.greet().toUpperCase(java.util.Locale.ROOT) + "!"; }
    }

    interface Polite extends Named {
        @Override default String greet() { return "Dear " + name(); }
    }

    static class Simple implements Named {
        final String s;
        Simple(String s) { this.s = s; }
        public String name() { return s; }
    }

    static class Both implements Loud, Polite {
        public String name() { return "both"; }
        @Override public String greet() { return Loud.super.greet() + " / " + Polite.super.greet(); }
    }

    static class Inherits extends Simple implements Loud {
        Inherits() { super("inherits"); }
    }

    static class Base { public String greet() { return "class wins"; } }
    static class ClassWins extends Base implements Polite { public String name() { return "n"; } }

    interface Top { default String who() { return "Top"; } }
    interface Left extends Top { }
    interface Right extends Top { default String who() { return "Right"; } }
    static class Diamond implements Left, Right { }
    static class DiamondChild extends Diamond implements Left { }

    interface Shape { int area(); }
    interface Abstracted extends Top { String who(); }

    static abstract class Partial implements Shape, Comparable<Partial> {
        public int compareTo(Partial o) { return area() - o.area(); }
    }

    public static void main(String[] args) {
        Named[] all = {Named.of("simple"), new Both(), new Inherits(), new ClassWins()};
        for (Named n : all) {
            System.out.println(n.greet() + " " + (n instanceof Loud));
        }
        System.out.println(new Diamond().who() + " " + new DiamondChild().who());
        Top t = new Abstracted() {
            public String who() { return "concrete again"; }
        };
        System.out.println(t.who());
        Partial p = new Partial() { public int area() { return 4; } };
        Partial q = new Partial() { public int area() { return 9; } };
        Shape s = p;
        Comparable<Partial> c = q;
        System.out.println(s.area() + " " + c.compareTo(p) + " " + s.equals(p) + " " + (c.hashCode() == q.hashCode()));
    }
}
