package za.ac.sun.cs.coastal;

import heapwright.verify.Inputs;

/** Inputs as programs for COASTAL ask for them. Marks and printed path conditions are left out. */
public class Symbolic {
    /** Ends the run. */
    public static void stop() {
        Inputs.assume(false);
    }

    /** Ends the run. */
    public static void stop(String message) {
        stop();
    }

    public static void mark(int marker) {
    }

    public static void mark(String marker) {
    }

    public static void printPC() {
    }

    public static void printPC(String label) {
    }

    public static boolean makeSymbolicBoolean(String name) {
        return Inputs.nextBoolean(name);
    }

    public static byte makeSymbolicByte(String name) {
        return Inputs.nextByte(name);
    }

    public static char makeSymbolicChar(String name) {
        return Inputs.nextChar(name);
    }

    public static short makeSymbolicShort(String name) {
        return Inputs.nextShort(name);
    }

    public static int makeSymbolicInt(String name) {
        return Inputs.nextInt(name);
    }

    public static long makeSymbolicLong(String name) {
        return Inputs.nextLong(name);
    }

    public static float makeSymbolicFloat(String name) {
        return Inputs.nextFloat(name);
    }

    public static double makeSymbolicDouble(String name) {
        return Inputs.nextDouble(name);
    }
}
