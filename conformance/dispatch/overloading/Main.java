package dispatch.overloading;

/** Overload resolution: widening before boxing before varargs, most specific, null. */
public class Main {
    static String f(byte x) { return "byte"; }
    static String f(short x) { return "short"; }
    static String f(int x) { return "int"; }
    static String f(long x) { return "long"; }
    static String f(float x) { return "float"; }
    static String f(double x) { return "double"; }
    static String f(char x) { return "char"; }
    static String f(boolean x) { return "boolean"; }
    static String f(Object x) { return "Object"; }
    static String f(String x) { return "String"; }
    static String f(Integer x) { return "Integer"; }
    static String f(int... x) { return "int..."; }

    static String g(long x) { return "long"; }
    static String g(Integer x) { return "Integer"; }
    static String g(Object... x) { return "Object..." + x.length; }

    static String h(double x) { return "double"; }
    static String h(Object x) { return "Object"; }

    static String two(int a, long b) { return "int,long"; }
    static String two(long a, long b) { return "long,long"; }

    static String v(String s, Object... rest) { return s + (rest == null ? "null" : rest.length + ""); }

    static int sum(int... xs) {
        int t = 0;
        for (int x : xs) t += x;
        return t;
    }

    public static void main(String[] args) {
        byte b = 1;
        short s = 1;
        char c = 'c';
        long l = 1;
        System.out.println(f(b) + f(s) + f(1) + f(l) + f(1f) + f(1d) + f(c) + f(true));
        System.out.println(f("s") + f(Integer.valueOf(1)) + f(Long.valueOf(1)) + f(new int[0]) + f() + f(1, 2));
        System.out.println(f((Object) "s") + f((Object) 1) + f(b + s) + f(c + 1) + f((char) (c + 1)) + f(1 + l));
        System.out.println(g(1) + g(Integer.valueOf(1)) + g("s") + g(1L) + g(1.0) + g('c') + g());
        System.out.println(h(1) + h(l) + h(1f) + h("s") + h(Integer.valueOf(3)));
        System.out.println(two(1, 1) + two(l, 1) + two('a', 'b'));
        System.out.println(v("a") + v("b", 1) + v("c", 1, 2) + v("d", (Object[]) null) + v("e", (Object) null)
                + v("f", new Object[] {1, 2, 3}) + v("g", new int[] {1, 2, 3}) + v("h", new String[] {"x", "y"}));
        System.out.println(sum() + sum(1) + sum(1, 2, 3) + sum(new int[] {10, 20}));
        int x = true ? 1 : 'a';
        System.out.println(f(x) + f(true ? 1 : 2L) + f(false ? 'a' : 'b') + f(true ? b : c));
    }
}
