package heapwright.verify;

/** Inputs of a program under verification, each made by the engine at the call. */
public final class Inputs {
    private Inputs() {
    }

    public static native boolean nextBoolean();

    public static native byte nextByte();

    public static native char nextChar();

    public static native short nextShort();

    public static native int nextInt();

    public static native long nextLong();

    public static native float nextFloat();

    public static native double nextDouble();

    /** A string of any length; not null. */
    public static native String nextString();

    /** Leaves the inputs out for which the condition is false. */
    public static native void assume(boolean condition);
}
