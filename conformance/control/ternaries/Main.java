package control.ternaries;

/** Nested conditionals with boxing, unboxing and numeric promotion. */
public final class Main {
    private static String kind(Object o) {
        return o == null ? "null" : o.getClass().getSimpleName() + ":" + o;
    }

    public static void main(String[] args) {
        boolean t = args.length == 0;
        boolean f = !t;
        Integer i = 5;
        Long l = 6L;
        Character c = 'x';
        Short s = 3;
        Byte b = 1;
        Integer none = null;
        System.out.println(kind(t ? 1 : 2.0));
        System.out.println(kind(t ? i : l));
        System.out.println(kind(t ? i : "s"));
        System.out.println(kind(t ? (Object) i : l));
        System.out.println(kind(t ? 'a' : 0));
        System.out.println(kind(t ? 'a' : i));
        System.out.println(kind(f ? c : 98));
        System.out.println(kind(t ? s : b));
        System.out.println(kind(t ? null : 0));
        System.out.println(kind(t ? none : "x"));
        try {
            int x = t ? none : 0;
            System.out.println(x);
        } catch (NullPointerException e) {
            System.out.println("unboxing null");
        }
        try {
            System.out.println(kind(f ? 1 : none));
        } catch (NullPointerException e) {
            System.out.println("unboxing null again");
        }
        try {
            System.out.println(kind(t ? none : 2L));
        } catch (NullPointerException e) {
            System.out.println("and again");
        }
        for (int n = -2; n < 4; n++) {
            String r = n < 0 ? n == -1 ? "minus one" : "less" : n == 0 ? "zero" : n > 1 ? n > 2 ? "more" : "two" : "one";
            int v = n > 0 && n % 2 == 1 ? n * 2 : n < -1 || n == 0 ? -n : 7;
            System.out.println(r + " " + v + " " + (n > 0 ? t ? 1 : 2 : f ? 3 : 4));
        }
        Integer a = 127, a2 = 127, d = 128, d2 = 128;
        System.out.println((a == a2) + " " + (d == d2) + " " + d.equals(d2) + " " + (d <= d2 && d >= d2));
        Long x = 127L, x2 = 127L, y = -129L, y2 = -129L;
        System.out.println((x == x2) + " " + (y == y2) + " " + x.equals(127) + " " + new Object[] {x}[0].equals(127L));
        Character p = '\u007f', p2 = '\u007f', q = '\u0080', q2 = '\u0080';
        System.out.println((p == p2) + " " + (q == q2) + " " + (Boolean.valueOf("TRUE") == Boolean.TRUE));
        i++;
        ++i;
        i += i++ + ++i;
        s++;
        c++;
        System.out.println(i + " " + s + " " + c);
    }
}
