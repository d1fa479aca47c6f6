package control.stringfall;

/** Switches over strings: collisions of hashes, falling through, defaults in the middle. */
public final class Main {
    private static int collide(String s) {
        int r = 0;
        switch (s) {
            case "Aa":
                r |= 1;
            case "BB":
                r |= 2;
                break;
            case "AaAa":
                r |= 4;
            default:
                r |= 8;
            case "BBBB":
                r |= 16;
            case "AaBB":
                r |= 32;
                break;
            case "BBAa":
                return 64;
            case "":
                r = 128;
        }
        return r;
    }

    private static String verb(String s) {
        return switch (s.trim().toLowerCase()) {
            case "go", "walk" -> "move";
            case "eat" -> "food";
            case "\u00e9t\u00e9" -> "summer";
            case "a\tb" -> "tab";
            default -> "?";
        };
    }

    public static void main(String[] args) {
        for (String s : new String[] {"Aa", "BB", "AaAa", "BBBB", "AaBB", "BBAa", "", "C#", "Bb", "AA"}) {
            System.out.println("'" + s + "' " + s.hashCode() + " " + collide(s) + " " + collide(new String(s.toCharArray())));
        }
        System.out.println(verb(" GO ") + verb("Walk") + verb("eat") + verb("\u00c9T\u00c9") + verb("A\tB") + verb(""));
        String none = null;
        try {
            collide(none);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        final String constant = "con" + "stant";
        switch ("constant") {
            case constant:
                System.out.println("constant");
                break;
            default:
                System.out.println("no");
        }
    }
}
