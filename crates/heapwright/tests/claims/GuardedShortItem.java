package claims;

/** A subclass that calls the constructor with one text alone. */
public final class GuardedShortItem extends GuardedItem {
    public GuardedShortItem() {
        super("a");
    }
}
