package strings.concatenation;

/** String concatenation of every type, null included, and its evaluation order. */
public class Main {
    static int n;

    static String next() {
        return "n" + n++;
    }

    static class Null {
        @Override
        public String toString() {
            return null;
        }
    }

    static class Throws {
        @Override
        public String toString() {
            throw new IllegalStateException("toString");
        }
    }

    static String all(boolean z, byte b, char c, short s, int i, long l, float f, double d, Object o, String t, char[] a) {
        return "" + z + b + c + s + i + l + f + d + o + t + (a == null);
    }

    public static void main(String[] args) {
        System.out.println(all(true, (byte) -1, 'c', (short) 300, 1 << 20, 1L << 50, 1.5f, -0.0, null, null, null));
        System.out.println(all(false, (byte) 1, 'e', (short) -300, -5, Long.MIN_VALUE, Float.NaN, 1e21, "o", "t", new char[0]));
        System.out.println(1 + 2 + "3" + 4 + 5);
        char c = 'a';
        System.out.println(c + 1 + "" + c + 1 + (char) (c + 1));
        System.out.println('a' + 'b' + "c" + 'd' + 'e');
        String s = null;
        s += "x";
        s += 1;
        s += 'c';
        s += 2.0f;
        s += null;
        System.out.println(s);
        System.out.println(next() + next() + next() + n);
        Object[] array = {"p"};
        int i = 0;
        array[i++] += "q" + i;
        System.out.println(array[0]);
        System.out.println("null object: " + new Null() + "|" + (Object) null);
        try {
            System.out.println("before " + new Throws() + next());
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + n);
        }
        StringBuilder sb = new StringBuilder("sb");
        System.out.println("[" + sb + sb.append("!") + "]");
        System.out.println("\u0001 and \u0002 are no placeholders " + i);
        String joined = "";
        for (int k = 0; k < 20; k++) {
            joined += k;
        }
        System.out.println(joined + joined.length());
        System.out.println("a" + (i > 0 ? "b" : 'c') + (s == null) + ("\u00e9\u4e2d" + i).length() + "\n".length());
        Integer boxed = 5;
        Long none = null;
        System.out.println(boxed + 1 + " " + boxed + none);
        System.out.println("" + 'x' + (byte) 'x' + (Object) 'x' + (int) 'x');
    }
}
