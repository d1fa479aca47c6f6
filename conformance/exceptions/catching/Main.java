package exceptions.catching;

/** Which catch clause is chosen; multi-catch, rethrow, custom exceptions, causes. */
public class Main {
    static class AppException extends Exception {
        final int code;

        AppException(String message, int code) {
            super(message);
            this.code = code;
        }
    }

    static class SubException extends AppException {
        SubException(int code) {
            super("sub", code);
        }

        @Override
        public String getMessage() {
            return super.getMessage() + "#" + code;
        }
    }

    static class Silent extends RuntimeException {
        Silent() {
            super("silent", null, false, false);
        }

        @Override
        public String toString() {
            return "Silent!";
        }
    }

    static void raise(int i) throws Exception {
        switch (i) {
            case 0: throw new SubException(10);
            case 1: throw new AppException("app", 20);
            case 2: throw new Exception();
            case 3: throw new IllegalArgumentException("illegal");
            case 4: throw new Silent();
            case 5: throw null;
            case 6: throw new UnsupportedOperationException(new AppException("inner", 1));
            case 7: throw new StackOverflowError("made by hand");
            default: System.out.println("nothing raised");
        }
    }

    static void precise(int i) throws AppException {
        try {
            if (i == 0) throw new SubException(1);
            throw new AppException("x", 2);
        } catch (final Exception e) {
            throw e;
        }
    }

    public static void main(String[] args) {
        for (int i = 0; i < 9; i++) {
            try {
                raise(i);
            } catch (SubException e) {
                System.out.println("sub " + e + " " + e.code);
            } catch (AppException e) {
                System.out.println("app " + e + " " + e.code);
            } catch (IllegalArgumentException | UnsupportedOperationException e) {
                System.out.println("multi " + e + " cause " + e.getCause());
            } catch (RuntimeException e) {
                System.out.println("runtime " + (e instanceof NullPointerException ? "null" : e + " " + e.getStackTrace().length));
            } catch (Exception e) {
                System.out.println("any " + e + " " + e.getMessage());
            } catch (Throwable t) {
                System.out.println("throwable " + t);
            }
        }
        for (int i = 0; i < 2; i++) {
            try {
                precise(i);
            } catch (AppException e) {
                System.out.println(e.getClass().getSimpleName() + " " + e.getLocalizedMessage());
            }
        }
        Throwable chain = new RuntimeException("top", new Exception("middle", new Error("root")));
        for (Throwable t = chain; t != null; t = t.getCause()) {
            System.out.println(t);
        }
        System.out.println(new RuntimeException(new Exception("wrapped")).getMessage());
        System.out.println(new RuntimeException((Throwable) null).getMessage());
        RuntimeException late = new RuntimeException("late");
        late.initCause(new Exception("set"));
        try {
            late.initCause(new Exception("again"));
        } catch (IllegalStateException e) {
            System.out.println("cause set once: " + late.getCause().getMessage());
        }
        try {
            late = new RuntimeException("self");
            late.initCause(late);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
    }
}
