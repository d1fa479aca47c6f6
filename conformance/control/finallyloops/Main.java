package control.finallyloops;

/** finally blocks crossed by continue, break and return inside loops, and nested. */
public final class Main {
    private static final StringBuilder LOG = new StringBuilder();

    @SuppressWarnings("finally")
    private static int returns(int n) {
        for (int i = 0; ; i++) {
            try {
                try {
                    if (i == n) {
                        return i * 10;
                    }
                    if (i % 2 == 0) {
                        continue;
                    }
                    if (i == 5) {
                        throw new IllegalStateException("five");
                    }
                } finally {
                    LOG.append('f').append(i);
                }
                LOG.append('n');
            } catch (IllegalStateException e) {
                LOG.append(e.getMessage());
                break;
            } finally {
                LOG.append(';');
                if (n == 100) {
                    return -1;
                }
            }
        }
        return -2;
    }

    private static int value() {
        int x = 1;
        try {
            return x;
        } finally {
            x = 2;
        }
    }

    private static int[] array() {
        int[] x = {1};
        try {
            return x;
        } finally {
            x[0] = 2;
        }
    }

    @SuppressWarnings("finally")
    private static String swallow() {
        while (true) {
            try {
                throw new Error("lost");
            } finally {
                break;
            }
        }
        try {
            try {
                throw new RuntimeException("a");
            } finally {
                throw new RuntimeException("b");
            }
        } catch (RuntimeException e) {
            return e.getMessage() + e.getSuppressed().length;
        }
    }

    private static long deep(int n) {
        try {
            if (n == 0) {
                return 1;
            }
            return deep(n - 1) * 2;
        } finally {
            LOG.append(n);
        }
    }

    public static void main(String[] args) {
        for (int n : new int[] {0, 1, 3, 7, 100}) {
            LOG.setLength(0);
            System.out.println(returns(n) + " " + LOG);
        }
        System.out.println(value() + " " + array()[0] + " " + swallow());
        LOG.setLength(0);
        System.out.println(deep(6) + " " + LOG);
    }
}
