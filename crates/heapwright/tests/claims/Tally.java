package claims;

/** Tallies whose invariant and methods look at static fields. */
public class Tally {
    private static final int STEP = 1;
    static int most = 2;
    static boolean isFrozen;
    static int unused;

    private int count;

    public boolean repOk() {
        return count >= 0 && count <= most;
    }

    public void up() {
        if (!isFrozen && count < most) {
            count += STEP;
        }
    }

    public static void reset() {
        unused = 0;
    }
}
