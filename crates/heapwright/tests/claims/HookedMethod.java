package claims;

/** A method that calls what a subclass may override. */
public class HookedMethod {
    private int level;

    protected int limit() {
        return 5;
    }

    public boolean isAbove() {
        return limit() > 10;
    }

    public void lift() {
        level = -1;
        limit();
        level = 0;
    }

    public boolean isBelow() {
        return level < 0;
    }
}
