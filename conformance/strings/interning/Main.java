package strings.interning;

/** Identity of literals, constants, computed and interned strings. */
public class Main {
    static final String CONST = "he" + "llo";
    static final String NOT_CONST = new String("hello");
    final String instance = "hello";

    static class Other {
        static String same = "hello";
    }

    public static void main(String[] args) {
        String a = "hello";
        String lo = "lo";
        final String hel = "hel";
        System.out.println(a == "hello");
        System.out.println(a == CONST);
        System.out.println(a == Other.same);
        System.out.println(a == new Main().instance);
        System.out.println(a == NOT_CONST);
        System.out.println(a == hel + "lo");
        System.out.println(a == "hel" + lo);
        System.out.println(a == ("hel" + lo).intern());
        System.out.println(NOT_CONST.intern() == a);
        System.out.println(NOT_CONST.equals(a));
        String fresh = new StringBuilder("fr").append("esh").toString();
        System.out.println(fresh.intern() == "fresh");
        System.out.println(fresh == "fresh" || fresh.intern() == fresh.intern());
        System.out.println("" == new String().intern());
        System.out.println(a.toString() == a);
        System.out.println(String.valueOf((Object) a) == a);
        System.out.println(a.substring(0) == a);
        System.out.println(a.substring(0, 2) == "he");
        System.out.println(a.trim() == a);
        System.out.println(a.concat("") == a);
        System.out.println(a.replace('z', 'y') == a);
        System.out.println(a.toLowerCase() == a);
        System.out.println(a.strip() == a);
        System.out.println(Main.class.getName().intern() == Main.class.getName());
        switch (NOT_CONST) {
            case CONST -> System.out.println("equal in a switch");
            default -> System.out.println("no");
        }
    }
}
