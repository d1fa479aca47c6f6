package classes.varargs;

/** Variable arity methods, main's arguments, recursion with many parameters of mixed widths. */
public class Main {
    static String join(String separator, Object... parts) {
        StringBuilder sb = new StringBuilder();
        for (int i = 0; i < parts.length; i++) {
            if (i > 0) sb.append(separator);
            sb.append(parts[i]);
        }
        return sb.toString();
    }

    static long sum(long first, int... rest) {
        for (int r : rest) first += r;
        return first;
    }

    static <T> int count(T... all) {
        return all == null ? -1 : all.length;
    }

    static double mixed(int a, long b, float c, double d, byte e, char f, short g, boolean h, Object i, long j, double k) {
        return a <= 0 ? b + c + d + e + f + g + (h ? 1 : 0) + (i == null ? 0 : 1) + j + k
                : mixed(a - 1, b * 2, c / 2, d + 1, (byte) (e + 100), (char) (f + 1), (short) -g, !h, i == null ? "x" : null, -j, k * k);
    }

    final int n;
    final String s;

    Main(int n, String... strings) {
        this.n = n;
        this.s = join("", (Object[]) strings);
    }

    public static void main(String... args) {
        System.out.println(args.length + " " + (args != null) + " " + args.getClass().getName());
        System.out.println(join(", ") + "|" + join(", ", 1) + "|" + join(", ", 1, 'b', "c", null, 2.5, 3L, true));
        System.out.println(join("-", new Object[] {"x", "y"}) + " " + join("-", (Object) new String[] {"x"}.length));
        System.out.println(sum(1L << 35) + " " + sum(1, 2, 3) + " " + sum(0, new int[] {4, 5}));
        System.out.println(count() + " " + count(1, 2) + " " + count((Object) null) + " " + count((Object[]) null) + " " + count(new int[] {1, 2, 3}) + " " + count(new Integer[] {1, 2, 3}));
        System.out.println(mixed(7, 3, 64f, 0.5, (byte) 5, 'a', (short) 300, true, null, 1L << 33, 1.01));
        System.out.println(new Main(1).s.length() + new Main(2, "a", "b").s + new Main(3, "c").n);
    }
}
