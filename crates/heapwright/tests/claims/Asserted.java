package claims;

/** Assertions that longer strings, or one object twice, violate. */
public final class Asserted {
    private Asserted() {
    }

    public static void isShort(String a) {
        assert a.length() < 65536;
    }

    public static void sumIsPositive(String a, String b) {
        assert a.length() + b.length() >= 0;
    }

    public static void multipleIsPositive(String a) {
        assert 3 * a.length() >= 0;
    }

    public static void intsDiffer(Integer a, Integer b) {
        assert a == null || a != b;
    }

    public static void textsDiffer(String a, String b) {
        assert a == null || a != b;
    }

    public static void isNoLiteral(String a) {
        assert a != "x";
    }

    public static void isNotTrue(Boolean a) {
        assert a != Boolean.TRUE;
    }

    public static void elementsDiffer(String[] a) {
        assert a == null || a.length < 2 || a[0] == null || a[0] != a[1];
    }
}
