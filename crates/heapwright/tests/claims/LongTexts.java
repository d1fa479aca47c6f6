package claims;

/** Strings of more than 65,535 characters. */
public final class LongTexts {
    private LongTexts() {
    }

    public static int length(String a) {
        if (a.length() > 65535) {
            return 1;
        }
        return 0;
    }

    public static int sum(String a, String b) {
        if (a.length() + b.length() < 0) {
            return 1;
        }
        return 0;
    }

    public static int multiple(String a) {
        if (3 * a.length() < 0) {
            return 1;
        }
        return 0;
    }

    public static int narrowed(String a) {
        if ((char) a.length() != a.length()) {
            return 1;
        }
        return 0;
    }
}
