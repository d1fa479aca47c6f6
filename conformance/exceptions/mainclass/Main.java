package exceptions.mainclass;

/** The main class itself fails to initialise. */
public class Main {
    static final int[] DATA = new int[2];
    static int bad;

    static {
        System.out.println("before");
        bad = DATA[DATA.length];
        System.out.println("never");
    }

    public static void main(String[] args) {
        System.out.println("never main");
    }
}
