package exceptions.finallies;

/** finally runs on every way out, and its own return or throw wins. */
public class Main {
    static StringBuilder log = new StringBuilder();

    @SuppressWarnings("finally")
    static int returnInFinally() {
        try {
            throw new RuntimeException("lost");
        } finally {
            return 7;
        }
    }

    static int valueIsSaved() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 2;
        }
    }

    @SuppressWarnings("finally")
    static int throwWins() {
        try {
            throw new IllegalStateException("first");
        } finally {
            throw new IllegalArgumentException("second");
        }
    }

    static String nested(int mode) {
        log.setLength(0);
        try {
            try {
                log.append("try ");
                if (mode == 1) throw new RuntimeException("one");
                if (mode == 2) throw new Error("two");
                if (mode == 3) return "returned " + log.append("return ");
                log.append("end ");
            } catch (RuntimeException e) {
                log.append("catch ");
                throw new Exception("from catch", e);
            } finally {
                log.append("finally1 ");
            }
            log.append("between ");
        } catch (Exception e) {
            log.append(e.getMessage()).append('/').append(e.getCause().getMessage()).append(' ');
        } finally {
            log.append("finally2");
        }
        return "end";
    }

    static int loop() {
        int n = 0;
        for (int i = 0; i < 10; i++) {
            try {
                if (i % 2 == 0) continue;
                if (i == 7) break;
                n += i;
            } finally {
                n += 100;
            }
        }
        return n;
    }

    static String deep(int n) {
        try {
            if (n == 0) throw new RuntimeException("bottom");
            return deep(n - 1);
        } finally {
            log.append(n);
        }
    }

    public static void main(String[] args) {
        System.out.println(returnInFinally() + " " + valueIsSaved());
        try {
            throwWins();
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage() + " " + e.getSuppressed().length);
        }
        for (int mode = 0; mode < 4; mode++) {
            try {
                System.out.println(nested(mode));
            } catch (Error e) {
                System.out.println("error " + e.getMessage());
            }
            System.out.println(log);
        }
        System.out.println(loop());
        log.setLength(0);
        try {
            deep(5);
        } catch (RuntimeException e) {
            System.out.println(e.getMessage() + log);
        }
    }
}
