package exceptions.helpful;

/** Helpful NullPointerException messages: what was null and what was attempted. */
public class Main {
    Main next;
    int[] data;
    String name;
    long count;
    static Main root;
    static int[][] grid = new int[2][];

    Main next() {
        return next;
    }

    static Main find(int i, String s) {
        return null;
    }

    interface Action {
        void run() throws Throwable;
    }

    static void attempt(Action a) {
        try {
            a.run();
            System.out.println("nothing");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        } catch (Throwable t) {
            System.out.println(t);
        }
    }

    static void parameters(Main p, int[] array, String s) {
        attempt(() -> System.out.println(p.count));
        try {
            array[2] = 5;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            s.length();
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        Main m = new Main();
        attempt(() -> System.out.println(root.count));
        attempt(() -> root.name = "x");
        attempt(() -> System.out.println(m.next.next));
        attempt(() -> System.out.println(m.next().next().name));
        attempt(() -> System.out.println(m.name.length()));
        attempt(() -> System.out.println(m.data.length));
        attempt(() -> System.out.println(m.data[3]));
        attempt(() -> System.out.println(grid[1][0]));
        attempt(() -> grid[1][0] = 1);
        attempt(() -> find(1, "a").count++);
        attempt(() -> { throw (RuntimeException) (Object) root; });
        attempt(() -> { synchronized (root) { System.out.println("in"); } });
        attempt(() -> { Integer i = null; int j = i; });
        attempt(() -> { throw new NullPointerException(); });
        attempt(() -> { throw new NullPointerException("given"); });
        attempt(() -> java.util.Objects.requireNonNull(root, "root is needed"));
        attempt(() -> java.util.Objects.requireNonNull(root));
        parameters(null, null, null);
        Main local = null;
        try {
            local.next.next = m;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            m.next.next = local;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }
}
