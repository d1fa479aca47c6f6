package exceptions.kinds;

/** The exceptions the machine itself throws, with types and messages. */
public class Main {
    interface Action {
        void run() throws Exception;
    }

    static void attempt(String name, Action a) {
        try {
            a.run();
            System.out.println(name + ": nothing");
        } catch (Throwable t) {
            System.out.println(name + ": " + t.getClass().getName() + ": " + t.getMessage());
        }
    }

    /** For what the library words differently from release to release. */
    static void kind(String name, Action a) {
        try {
            a.run();
            System.out.println(name + ": nothing");
        } catch (Throwable t) {
            System.out.println(name + ": " + t.getClass().getName());
        }
    }

    static int zero;
    static Object text = "text";
    static Object list = new java.util.ArrayList<String>();

    public static void main(String[] args) {
        attempt("int division", () -> zero = 1 / zero);
        attempt("long remainder", () -> zero = (int) (1L % zero));
        attempt("double division", () -> System.out.print(1.0 / zero + " "));
        attempt("index", () -> zero = (new int[zero + 2])[5]);
        attempt("negative", () -> text = new String[zero - 2]);
        attempt("store", () -> ((Object[]) new Integer[1])[0] = 2.5);
        attempt("cast", () -> System.out.println(((Integer) text).intValue()));
        attempt("cast interface", () -> System.out.println(((Runnable) text).hashCode()));
        attempt("cast array", () -> System.out.println(((int[]) text).length));
        attempt("cast library", () -> System.out.println(((java.util.LinkedList<?>) list).size()));
        kind("charAt", () -> "abc".charAt(3));
        kind("substring", () -> "abc".substring(2, 1));
        kind("substring end", () -> "abc".substring(1, 9));
        kind("builder", () -> new StringBuilder("abc").deleteCharAt(5));
        attempt("parse", () -> Integer.parseInt("12x"));
        attempt("parse long", () -> Long.parseLong(""));
        attempt("list", () -> new java.util.ArrayList<>(java.util.List.of(1)).get(4));
        attempt("immutable", () -> java.util.List.of(1).add(2));
        attempt("next", () -> new java.util.ArrayList<>().iterator().next());
        attempt("no class", () -> Class.forName("missing.Type"));
        attempt("enum", () -> Thread.State.valueOf("ABSENT"));
        attempt("monitor", () -> text.notify());
        attempt("clone", () -> new java.util.ArrayDeque<>().addFirst(null));
        attempt("assertion", () -> { throw new AssertionError(5); });
        attempt("synchronized null", () -> { synchronized (Main.class) { throw new Exception("checked"); } });
    }
}
