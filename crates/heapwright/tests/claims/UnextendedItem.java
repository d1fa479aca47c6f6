package claims;

/** A class that no test can extend, as no other package implements what it asks for. */
public abstract class UnextendedItem {
    private final int most;

    private UnextendedItem(int most) {
        if (most < 1) {
            throw new IllegalArgumentException("most");
        }
        this.most = most;
    }

    UnextendedItem(int most, Hidden hidden) {
        this(hidden == null ? most : 1);
    }

    abstract Hidden hidden();

    public int most() {
        return most;
    }

    private static final class Hidden {
    }
}
