package claims;

/** A constructor that calls what a subclass may override. */
public class HookedConstructor {
    private final Object made;

    public HookedConstructor() {
        init();
        made = new Object();
    }

    protected void init() {
    }

    public boolean isUnmade() {
        return made == null;
    }
}
