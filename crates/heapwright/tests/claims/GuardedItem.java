package claims;

/** A constructor that subclasses call with what they like. */
public abstract class GuardedItem {
    private final String id;

    protected GuardedItem(String id) {
        if (id.length() > 4) {
            throw new IllegalArgumentException("id");
        }
        this.id = id;
    }

    public String id() {
        return id;
    }
}
