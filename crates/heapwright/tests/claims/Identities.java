package claims;

/** Strings and boxes that may be one object, a literal or a cached box. */
public class Identities {
    private static final Integer LARGE = Integer.valueOf(1000);

    private Long own;
    private Long other;

    public static boolean ints(Integer a, Integer b) {
        return a != null && a == b;
    }

    public static boolean texts(String a, String b) {
        return a != null && a == b;
    }

    public static boolean mixed(CharSequence a, String b) {
        return a != null && a == b;
    }

    public static boolean literal(String a) {
        return a == "x";
    }

    public static boolean truth(Boolean a) {
        return a == Boolean.TRUE;
    }

    public static boolean cached(Integer a) {
        return a == Integer.valueOf(5);
    }

    public static boolean constant(Integer a) {
        return a == LARGE;
    }

    public static boolean elements(Integer[] a) {
        return a.length == 2 && a[0] != null && a[0] == a[1];
    }

    public boolean fields() {
        return own != null && own == other;
    }

    public static boolean copies(String a) {
        return a.equals("x") && a != "x";
    }

    public static int contradiction(Integer a, Integer b) {
        if (a != null && b != null && a == b && !a.equals(b)) {
            return 1;
        }
        return 0;
    }

    public static int fresh(String a) {
        if (a == new String("x")) {
            return 1;
        }
        return 0;
    }
}
