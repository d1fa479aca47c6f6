package exceptions.overflow;

/** Deep recursion ends in a StackOverflowError that can be caught, again and again. */
public class Main {
    static int depth;

    static int forever(int n) {
        depth = n;
        return forever(n + 1) + 1;
    }

    static long wide(long a, double b) {
        try {
            return wide(a + 1, b / 2) + 1;
        } finally {
            depth++;
        }
    }

    Object next;

    @Override
    public String toString() {
        return "Main(" + next + ")";
    }

    static int bounded(int n) {
        return n == 0 ? 0 : 1 + bounded(n - 1);
    }

    public static void main(String[] args) {
        for (int i = 0; i < 3; i++) {
            try {
                forever(0);
                System.out.println("never");
            } catch (StackOverflowError e) {
                System.out.println("caught " + (depth > 500) + " " + e.getMessage() + " " + (e.getCause() == null));
                System.out.println(e.getStackTrace()[0].getMethodName());
            }
        }
        try {
            wide(0, 1);
        } catch (StackOverflowError e) {
            System.out.println("wide " + (e instanceof VirtualMachineError));
        }
        Main m = new Main();
        m.next = m;
        try {
            System.out.println(m);
        } catch (StackOverflowError e) {
            System.out.println("cyclic toString");
        }
        System.out.println(bounded(1000));
    }
}
