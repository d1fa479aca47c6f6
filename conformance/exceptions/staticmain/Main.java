package exceptions.staticmain;

/** An exception in the initialiser of the main class. */
public final class Main {
    static final int VALUE = compute();

    private static int compute() {
        System.out.println("computing");
        int[] none = new int[0];
        return none[args()];
    }

    private static int args() {
        return 3;
    }

    public static void main(String[] args) {
        System.out.println("never");
    }
}
