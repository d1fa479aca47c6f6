package probe;

/** Nothing can be called. */
public class Silent {
    private int value;

    public boolean repOK() {
        return value >= 0;
    }
}
