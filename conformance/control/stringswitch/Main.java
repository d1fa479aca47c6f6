package control.stringswitch;

/** Switches on strings, with keys of colliding hashes and the empty string. */
public class Main {
    static int classify(String s) {
        switch (s) {
            case "Aa": return 1;
            case "BB": return 2;
            case "AaAa": return 3;
            case "AaBB": return 4;
            case "BBAa": return 5;
            case "": return 6;
            case "long key with spaces": return 7;
            default: return s.equals("BBBB") ? 8 : 0;
        }
    }

    static String day(String s) {
        return switch (s.toLowerCase()) {
            case "sat", "sun" -> "weekend";
            case "mon", "tue", "wed", "thu", "fri" -> "week";
            default -> throw new IllegalArgumentException("no day: " + s);
        };
    }

    static final String CONSTANT = "con" + "stant";

    public static void main(String[] args) {
        System.out.println("Aa".hashCode() == "BB".hashCode());
        System.out.println("AaAa".hashCode() == "BBBB".hashCode());
        String[] all = {"Aa", "BB", "AaAa", "AaBB", "BBAa", "BBBB", "", "long key with spaces", "aa", "C#"};
        for (String s : all) {
            System.out.println("'" + s + "' " + classify(s) + " " + classify(new String(s.toCharArray())));
        }
        System.out.println(day("SAT") + " " + day("wed"));
        try {
            day("xyz");
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        switch (new StringBuilder("tnatsnoc").reverse().toString()) {
            case CONSTANT:
                System.out.println("constant");
            case "other":
                System.out.println("fell through");
        }
        try {
            classify(null);
        } catch (NullPointerException e) {
            System.out.println("NPE");
        }
    }
}
