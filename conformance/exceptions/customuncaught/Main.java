package exceptions.customuncaught;

/** An uncaught exception of a class of the program, with its own text and a cause. */
public final class Main {
    static class Trouble extends RuntimeException {
        private final int code;

        Trouble(int code, Throwable cause) {
            super(cause);
            this.code = code;
        }

        @Override
        public String getMessage() {
            return "code " + code + " of " + super.getMessage();
        }
    }

    public static void main(String[] args) {
        try {
            Object o = null;
            o.hashCode();
        } catch (NullPointerException e) {
            System.out.println("caught");
            throw new Trouble(7, new IllegalArgumentException("argument"));
        } finally {
            System.out.println("finally");
        }
    }
}
