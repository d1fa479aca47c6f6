package claims;

/** Methods of whose calls nothing is known by a limit, and one that has too many calls. */
public class Limits {
    private int depth;

    public void caught() {
        try {
            depth = endless();
        } catch (StackOverflowError e) {
            depth = -1;
        }
    }

    private int endless() {
        return 1 + endless();
    }

    /** Ends, on a stack of more than 9,000 frames. */
    public int deep(int down) {
        return down > 20_000 ? down : deep(down + 1);
    }

    public int bottomless(int down) {
        return bottomless(down + 1);
    }

    public void eats() {
        Object[] all = null;
        while (true) {
            all = new Object[] {all, new long[100_000]};
        }
    }

    public void spins() {
        while (true) {
        }
    }

    public void fine(int by) {
        depth += by;
    }

    public void many(String a, String b, String c, String d, String e, String f, String g, String h, String i, String j) {
    }

    public boolean repOK() {
        return depth >= 0;
    }
}
