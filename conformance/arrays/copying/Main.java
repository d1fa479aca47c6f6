package arrays.copying;

/** System.arraycopy and clone: overlap both ways, checks, partial copies on store failure. */
public class Main {
    static String show(int[] a) {
        StringBuilder sb = new StringBuilder();
        for (int i : a) sb.append(i).append(' ');
        return sb.toString();
    }

    static void attempt(String name, Object src, int sp, Object dst, int dp, int n) {
        try {
            System.arraycopy(src, sp, dst, dp, n);
            System.out.println(name + " fine");
        } catch (RuntimeException e) {
            System.out.println(name + ": " + e.getClass().getName());
        }
    }

    public static void main(String[] args) {
        int[] a = {1, 2, 3, 4, 5, 6, 7, 8};
        System.arraycopy(a, 0, a, 2, 5);
        System.out.println(show(a));
        System.arraycopy(a, 3, a, 1, 5);
        System.out.println(show(a));
        System.arraycopy(a, 8, a, 0, 0);
        int[] copy = a.clone();
        copy[0] = 100;
        System.out.println(a[0] + " " + copy[0] + " " + (copy.getClass() == a.getClass()));
        attempt("null source", null, 0, a, 0, 1);
        attempt("null target", a, 0, null, 0, 1);
        attempt("negative length", a, 0, copy, 0, -1);
        attempt("negative position", a, -1, copy, 0, 1);
        attempt("too long", a, 4, copy, 4, 5);
        attempt("overflow", a, 5, copy, 5, Integer.MAX_VALUE);
        attempt("past end, none", a, 9, copy, 0, 0);
        attempt("types", a, 0, new long[8], 0, 1);
        attempt("primitive to object", a, 0, new Object[8], 0, 1);
        attempt("not an array", "text", 0, a, 0, 1);
        attempt("up", new String[] {"x"}, 0, new Object[1], 0, 1);
        Object[] mixed = {"a", "b", 3, "d"};
        String[] strings = new String[4];
        attempt("partial", mixed, 0, strings, 0, 4);
        System.out.println(strings[0] + strings[1] + strings[2] + strings[3]);
        attempt("down", new Object[] {"p", null}, 0, strings, 2, 2);
        System.out.println(strings[2] + strings[3]);
        long[] longs = {1L << 40, 2, 3};
        System.arraycopy(longs, 0, longs, 1, 2);
        System.out.println(longs[0] + " " + longs[1] + " " + longs[2]);
        char[] chars = "abcdef".toCharArray();
        System.arraycopy(chars, 1, chars, 0, 5);
        System.out.println(new String(chars));
        Object[] objects = {new Object(), "s"};
        Object[] shallow = objects.clone();
        System.out.println(shallow[0] == objects[0]);
    }
}
