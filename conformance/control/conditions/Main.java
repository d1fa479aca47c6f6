package control.conditions;

/** Ternary chains, numeric promotion in them, and comparisons of every kind. */
public class Main {
    static String sign(int i) {
        return i < 0 ? "negative" : i == 0 ? "zero" : i < 10 ? "digit" : "large";
    }

    static boolean implies(boolean a, boolean b) {
        return !a || b;
    }

    static int ifs(int a, int b, Object o, Object p) {
        int r = 0;
        if (a == b) r |= 1;
        if (a != b) r |= 2;
        if (a < b) r |= 4;
        if (a >= b) r |= 8;
        if (a > b) r |= 16;
        if (a <= b) r |= 32;
        if (a == 0) r |= 64;
        if (a != 0) r |= 128;
        if (a < 0) r |= 256;
        if (a >= 0) r |= 512;
        if (a > 0) r |= 1024;
        if (a <= 0) r |= 2048;
        if (o == p) r |= 4096;
        if (o != p) r |= 8192;
        if (o == null) r |= 16384;
        if (o != null) r |= 32768;
        return r;
    }

    public static void main(String[] args) {
        for (int i : new int[] {-5, 0, 5, 50}) {
            System.out.println(sign(i));
        }
        System.out.println(implies(true, false) + " " + implies(false, false));
        Object o = new Object();
        int[] corners = {Integer.MIN_VALUE, -1, 0, 1, Integer.MAX_VALUE};
        for (int a : corners) {
            for (int b : corners) {
                System.out.println(ifs(a, b, o, a == b ? o : null) + " " + ifs(a, b, null, a < b ? o : null));
            }
        }
        boolean t = corners.length == 5;
        Object promoted = t ? 1 : 2.0;
        System.out.println(promoted);
        System.out.println(t ? 'x' : 0);
        int zero = 0;
        System.out.println(t ? 'x' : zero);
        Integer boxed = null;
        try {
            int bad = t ? boxed : 0;
            System.out.println(bad);
        } catch (NullPointerException e) {
            System.out.println("unboxed null");
        }
        Object mixed = t ? "text" : 3;
        System.out.println(mixed);
        long wide = t ? 1 : 2L;
        System.out.println(wide);
        boolean a = false;
        if (a = true) System.out.println("assigned " + a);
        System.out.println(t ^ a ^ true);
        System.out.println(t == a);
        char c = 'b';
        System.out.println(c >= 'a' && c <= 'z' ? "lower" : "no");
    }
}
