package exceptions.deeprecovery;

/** Recovering from StackOverflowError: the state stays usable, finally blocks run. */
public final class Main {
    private static int depth;
    private static int unwound;

    private static void dive() {
        depth++;
        dive();
    }

    private static void guarded() {
        try {
            depth++;
            guarded();
        } finally {
            unwound++;
        }
    }

    private static int count(int n) {
        return n == 0 ? 0 : 1 + count(n - 1);
    }

    static class Node {
        Node next;

        @Override
        public String toString() {
            return "n" + next;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            depth = 0;
            try {
                dive();
            } catch (StackOverflowError e) {
                System.out.println("over " + (depth > 500) + " " + e.getMessage() + " " + (e.getStackTrace().length > 100));
            }
        }
        depth = 0;
        try {
            guarded();
        } catch (StackOverflowError e) {
            System.out.println("unwound " + (unwound > 500 && unwound <= depth));
        }
        System.out.println(count(500));
        Node n = new Node();
        n.next = n;
        try {
            n.toString();
        } catch (StackOverflowError e) {
            System.out.println("cycle");
        }
        try {
            java.util.List<Object> self = new java.util.ArrayList<>();
            self.add(self);
            System.out.println(self);
            self.hashCode();
        } catch (StackOverflowError e) {
            System.out.println("hash of itself");
        }
    }
}
