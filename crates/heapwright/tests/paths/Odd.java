package odd;

/** What is asked of `heapwright paths` that it cannot give, or only in part. */
public abstract class Odd {
    public static native int foreign(int value);

    abstract int unfinished(int value);

    /** Comes to a native method on one of two ways. */
    public static int callsForeign(int value) {
        if (value > 3) {
            return foreign(value);
        }
        return 0;
    }

    /** Its loop runs more often than any usual bound. */
    public static int hundred(int value) {
        int sum = 0;
        for (int i = 0; i < 100; i++) {
            sum += value;
        }
        return sum;
    }

    /** Nobody calls it. */
    static int lonely(int value) {
        return value;
    }
}
