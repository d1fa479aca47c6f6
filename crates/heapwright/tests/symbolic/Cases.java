/** Methods whose paths end in every way there is. */
public class Cases {
    private Cases next;
    private int held;

    public static int sign(int x) {
        return x > 0 ? 1 : x < 0 ? -1 : 0;
    }

    public int sum(Cases other, String name) {
        if (name.length() == 1 && name.charAt(0) == '+') {
            return held + other.held;
        }
        return next == this ? 1 : 0;
    }

    public static int many(boolean[] flags) {
        int sum = 0;
        for (boolean flag : flags) {
            sum = sum * 3 + (flag ? 1 : 0);
        }
        return sum == 40 ? -1 : sum;
    }

    public static int product(long a, long b) {
        return a > 1 && b > 1 && a < 1L << 31 && b < 1L << 31 && a * b == 1000000016000000063L ? 1 : 0;
    }

    public static int endless(int x) {
        if (x > 5) {
            for (;;) {
                x++;
            }
        }
        return x < 0 ? -1 : 1;
    }

    public static int bottomless(int x) {
        return x > 5 ? bottomless(x) : 1;
    }

    public static int loop(int n) {
        int i = 0;
        while (i < n) {
            i++;
        }
        return i;
    }

    public static int recursion(int n) {
        return n <= 0 ? 0 : 1 + recursion(n - 1);
    }

    public static int digits(byte n) {
        return n == 7 ? 0 : Integer.toString(n).length();
    }

    public static int file(int n) throws java.io.IOException {
        if (n == 3) {
            new java.io.FileOutputStream("somewhere.txt").close();
        }
        return n > 3 ? 1 : 0;
    }

    public static int thread(int n) {
        if (n == 3) {
            new Thread(() -> { }).start();
        }
        return n > 3 ? 1 : 0;
    }

    public static void sleep(long n) throws InterruptedException {
        if (n > 3) {
            Thread.sleep(n);
        }
    }

    public static int copy(int n) {
        int[] to = new int[2];
        System.arraycopy(new int[] {1, 2}, 0, to, 0, n);
        return to[0] + to[1];
    }

    public static int exit(int n) {
        if (n == 3) {
            System.exit(n);
        }
        return 0;
    }

    public static int made(int n) {
        return new int[n].length;
    }

    static int hidden(int n) {
        return n;
    }
}

abstract class Bare {
    public abstract int size();

    public int twice() {
        return 2 * size();
    }
}
