package shelf;

/** Has the name of a class that tests of fields import. */
public class Field {
    private Field next;
    private String name;

    private static final class Lone {
        int count;

        private int next() {
            return count + 1;
        }

        private boolean isCounted() {
            return count >= 0;
        }
    }

    public String name() {
        return next == null ? name : next.name();
    }
}
