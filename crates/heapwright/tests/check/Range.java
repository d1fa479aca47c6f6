package probe;

/** Made by constructors and static methods, not all of which look at what they are given. */
public class Range {
    private int low;
    private int high;

    public Range(int low, int high) {
        if (low > high) {
            throw new IllegalArgumentException(low + " > " + high);
        }
        this.low = low;
        this.high = high;
    }

    public Range(int high) {
        low = 1;
        this.high = high;
    }

    public static Range between(int one, int other) {
        return new Range(Math.min(one, other), Math.max(one, other));
    }

    public static Range turned(Range range) {
        Range turned = new Range(range.low, range.high);
        turned.low = range.high;
        turned.high = range.low;
        return turned;
    }

    public static void empty(Range range) {
        range.high = range.low - 1;
    }

    public static int largest(int one, int other) {
        return Math.max(one, other);
    }

    private boolean repOK() {
        return low <= high;
    }
}
