package exceptions.resources;

/** try-with-resources: closing order, suppressed exceptions, null resources. */
public class Main {
    static class Resource implements AutoCloseable {
        final String name;
        final boolean failing;

        Resource(String name, boolean failing) {
            this.name = name;
            this.failing = failing;
            System.out.println("open " + name);
            if (name.startsWith("!")) throw new IllegalStateException("open " + name);
        }

        @Override
        public void close() {
            System.out.println("close " + name);
            if (failing) throw new IllegalArgumentException("close " + name);
        }
    }

    static void report(Throwable t, String indent) {
        System.out.println(indent + t);
        for (Throwable s : t.getSuppressed()) {
            report(s, indent + "  ");
        }
    }

    static void use(String a, boolean failA, String b, boolean failB, boolean failBody) {
        System.out.println("--");
        try (Resource r1 = new Resource(a, failA); Resource r2 = new Resource(b, failB)) {
            System.out.println("body " + r1.name + r2.name);
            if (failBody) throw new RuntimeException("body");
        } catch (RuntimeException e) {
            report(e, "");
        } finally {
            System.out.println("finally");
        }
    }

    static int value() {
        try (Resource r = new Resource("value", false)) {
            return r.name.length();
        }
    }

    public static void main(String[] args) throws Exception {
        use("a", false, "b", false, false);
        use("a", false, "b", false, true);
        use("a", true, "b", true, true);
        use("a", true, "b", true, false);
        use("a", true, "!b", false, false);
        System.out.println(value());
        try (Resource none = null) {
            System.out.println("null resource " + none);
        }
        Resource outer = new Resource("outer", false);
        try (outer) {
            System.out.println("effectively final");
        }
        try (AutoCloseable lambda = () -> System.out.println("lambda closed")) {
            System.out.println("lambda body");
        }
        Throwable t = new Exception("main");
        t.addSuppressed(new Exception("added"));
        report(t, "");
        try {
            t.addSuppressed(t);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        try {
            t.addSuppressed(null);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
