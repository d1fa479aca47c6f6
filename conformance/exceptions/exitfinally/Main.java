package exceptions.exitfinally;

/** System.exit inside try: the finally blocks do not run. */
public final class Main {
    public static void main(String[] args) {
        try {
            try {
                System.out.println("before");
                throw new IllegalStateException("x");
            } finally {
                System.out.println("inner finally");
                System.exit(42);
            }
        } finally {
            System.out.println("not printed");
        }
    }
}
