package dispatch.varargs;

/** Which method a call means: boxing, widening, varargs, null, and generic candidates. */
public final class Main {
    static String f(int x) { return "int"; }

    static String f(long x) { return "long"; }

    static String f(Integer x) { return "Integer"; }

    static String f(Object x) { return "Object"; }

    static String f(int... x) { return "int..." + x.length; }

    static String g(Object... x) { return x == null ? "null" : "Object..." + x.length; }

    static String h(double x) { return "double"; }

    static String h(Object x) { return "Object"; }

    static String i(char c, int x) { return "char int"; }

    static String i(int x, int y) { return "int int"; }

    static String j(String s, Object... more) { return "s+" + more.length; }

    static String j(String s, String t, Object... more) { return "st+" + more.length; }

    static <T> String k(T t) { return "T"; }

    static String k(CharSequence s) { return "CharSequence"; }

    static String l(Long... x) { return "Long" + x.length; }

    static String l(int x, Object... y) { return "int+" + y.length; }

    public static void main(String[] args) {
        byte b = 1;
        short s = 2;
        char c = 'c';
        long n = 4;
        System.out.println(f(b) + f(s) + f(c) + f(5) + f(n) + f(6f) + f((Integer) 7) + f((Short) s) + f() + f(1, 2) + f("x"));
        System.out.println(g() + g((Object[]) null) + g((Object) null) + g(1, "a") + g(new Object[] {1, 2, 3}) + g(new int[] {1, 2}) + g((Object) new String[2]) + g(new String[2]) + g(new int[2][2]));
        System.out.println(h(1) + h('c') + h(1L) + h(1f) + h(Integer.valueOf(1)) + h(true));
        System.out.println(i('a', 1) + i('a', 'b') + i(1, 'b'));
        System.out.println(j("a") + j("a", 1) + j("a", new Object[] {"b"}) + j("a", 1, "c"));
        System.out.println(k("s") + k(1) + k(new StringBuilder()) + k((Object) "s") + Main.<String>k("x"));
        System.out.println(l(1) + l(1L) + l() + l(1, 2L));
        Object o = c;
        System.out.println(f(o) + h(o) + f(c + 1) + f(c++) + String.valueOf((Object) null) + String.valueOf(new char[] {'o', 'k'}));
    }
}
