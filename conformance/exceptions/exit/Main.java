package exceptions.exit;

/** System.exit ends the program with its code, without running finally blocks. */
public class Main {
    public static void main(String[] args) {
        try {
            System.out.println("leaving");
            if (args.length == 0) {
                System.exit(3);
            }
            System.out.println("never");
        } catch (Throwable t) {
            System.out.println("never caught");
        } finally {
            System.out.println("never finally");
        }
    }
}
