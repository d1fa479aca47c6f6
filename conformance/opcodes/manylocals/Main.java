package opcodes.manylocals;

/** Parameters of every kind, many of them: places of arguments and of two-word values. */
public final class Main {
    private static String all(boolean z, byte b, long j, short h, double d, char c, float f, int i, Object o, long k, double e) {
        z = !z;
        b++;
        j--;
        h += 2;
        d *= 2;
        c++;
        f -= 0.5f;
        i <<= 1;
        k = -k;
        e = -e;
        return z + " " + b + " " + j + " " + h + " " + d + " " + c + " " + f + " " + i + " " + o + " " + k + " " + e;
    }

    private long many(long a, long b, long c, long d, long e, long f, long g, long h, int i, double x, double y, float z) {
        return a - b + c * d - e / f + g % h + i + (long) x + (long) y + (long) z;
    }

    private static long sum(int depth, long a, double b, long c) {
        if (depth == 0) {
            return a + (long) b + c;
        }
        return sum(depth - 1, c, a, (long) b) + depth;
    }

    private static int swap(int a, int b) {
        int t = a;
        a = b;
        b = t;
        return a * 100 + b;
    }

    private static long scopes(int n) {
        long r = 0;
        {
            long a = n;
            r += a;
        }
        {
            double a = n * 1.5;
            r += (long) a;
            {
                int b = (int) a + 1;
                r += b;
            }
        }
        {
            String a = "abc" + n;
            r += a.length();
        }
        for (int i = 0; i < 3; i++) {
            long x = i * 10L;
            r += x;
        }
        for (double i = 0; i < 2; i += 0.5) {
            r++;
        }
        return r;
    }

    public static void main(String[] args) {
        System.out.println(all(true, (byte) 127, Long.MIN_VALUE, (short) 32766, 1.25, 'y', 2.5f, 1 << 30, "o", 77, 0.0));
        System.out.println(new Main().many(1, 2, 3, 4, 50, 6, 70, 8, 9, 10.9, 11.9, 12.9f));
        System.out.println(sum(7, 1, 2.5, 3));
        System.out.println(swap(12, 34));
        System.out.println(scopes(5) + " " + scopes(-100));
    }
}
