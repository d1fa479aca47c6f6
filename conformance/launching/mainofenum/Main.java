package launching.mainofenum;

/** The main method of an enum. */
public enum Main {
    FIRST, SECOND {
        @Override
        String text() {
            return "own";
        }
    };

    String text() {
        return "common";
    }

    public static void main(String[] args) {
        for (Main m : values()) {
            System.out.println(m + " " + m.text() + " " + m.getDeclaringClass().getSimpleName());
        }
    }
}
