package heapwright.verify;

/**
 * Inputs of a program under verification, each made by the engine at the call. A name is shown with the input, and in
 * conditions on it; null is no name.
 */
public final class Inputs {
    private Inputs() {
    }

    public static native boolean nextBoolean(String name);

    public static native byte nextByte(String name);

    public static native char nextChar(String name);

    public static native short nextShort(String name);

    public static native int nextInt(String name);

    public static native long nextLong(String name);

    public static native float nextFloat(String name);

    public static native double nextDouble(String name);

    /** A string of any length; not null. */
    public static native String nextString(String name);

    /** Leaves the inputs out for which the condition is false. */
    public static native void assume(boolean condition);

    /** Whether a value depends on inputs that are not decided. */
    public static native boolean isOpen(long value);

    /** Like {@link #isOpen(long)}. */
    public static native boolean isOpen(double value);
}
