package opcodes.dupforms;

/** Compound assignments whose value is used: each form of dup, on one-word and two-word values. */
public final class Main {
    private int i = 3;
    private long l = 5L;
    private double d = 1.5;
    private static long s = 7L;
    private static int t = 9;

    private static int calls;

    private static int index() {
        calls++;
        return 1;
    }

    public static void main(String[] args) {
        Main m = new Main();
        int[] ints = {1, 2, 3};
        long[] longs = {10L, 20L, 30L};
        double[] doubles = {0.5, 1.5};
        byte[] bytes = {127, -128};
        char[] chars = {'a', 'z'};
        System.out.println(m.i++ + " " + ++m.i + " " + (m.i *= 4));
        System.out.println(m.l++ + " " + ++m.l + " " + (m.l <<= 3));
        System.out.println(m.d++ + " " + ++m.d + " " + (m.d /= 2));
        System.out.println(s++ + " " + --s + " " + (s |= 64));
        System.out.println(t-- + " " + --t + " " + (t ^= 0xff));
        System.out.println(ints[index()]++ + " " + ++ints[index()] + " " + (ints[index()] -= 10));
        System.out.println(longs[index()]++ + " " + ++longs[index()] + " " + (longs[index()] %= 7));
        System.out.println(doubles[index()]++ + " " + --doubles[index()] + " " + (doubles[index()] *= 3));
        System.out.println(bytes[0]++ + " " + bytes[0] + " " + --bytes[1] + " " + (bytes[1] >>>= 1));
        System.out.println(chars[index()]++ + " " + (int) chars[1] + " " + (chars[0] += 2));
        System.out.println(calls);
        long a;
        long b = a = longs[2] = m.l = s = 11L;
        System.out.println(a + " " + b + " " + longs[2] + " " + m.l + " " + s);
        int p = ints[0] = t = m.i = (byte) 300;
        System.out.println(p + " " + ints[0] + " " + t + " " + m.i);
        longs[ints[0] = 2] += ints[0];
        System.out.println(longs[2]);
        int k = 0;
        k = k++ + ++k;
        System.out.println(k);
        int[] q = {0, 0, 0};
        int n = 0;
        q[n++] = q[n] = n = 2;
        System.out.println(q[0] + " " + q[1] + " " + q[2] + " " + n);
    }
}
