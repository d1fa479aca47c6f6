package tools.aqua.concolic;

import heapwright.verify.Inputs;

/** Inputs as programs for GDart ask for them. */
public final class Verifier {
    private Verifier() {
    }

    public static void assume(boolean condition) {
        Inputs.assume(condition);
    }

    public static boolean nondetBoolean() {
        return Inputs.nextBoolean(null);
    }

    public static byte nondetByte() {
        return Inputs.nextByte(null);
    }

    public static char nondetChar() {
        return Inputs.nextChar(null);
    }

    public static short nondetShort() {
        return Inputs.nextShort(null);
    }

    public static int nondetInt() {
        return Inputs.nextInt(null);
    }

    public static long nondetLong() {
        return Inputs.nextLong(null);
    }

    public static float nondetFloat() {
        return Inputs.nextFloat(null);
    }

    public static double nondetDouble() {
        return Inputs.nextDouble(null);
    }

    public static String nondetString() {
        return Inputs.nextString(null);
    }
}
