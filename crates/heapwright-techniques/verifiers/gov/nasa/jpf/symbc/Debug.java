package gov.nasa.jpf.symbc;

import heapwright.verify.Inputs;
import heapwright.verify.Objects;

/**
 * Inputs as programs for Symbolic PathFinder ask for them, within the bounds that its settings give. The program cannot
 * see path conditions: what prints them has no effect, and their texts are empty. Native methods are refused at the
 * call.
 */
public class Debug {
    private static int lastObservedInputSize;

    public static void assume(boolean c) {
        Inputs.assume(c);
    }

    public static int makeSymbolicInteger(String name) {
        int value = Inputs.nextInt(name);
        within(value, "int", name);
        return value;
    }

    public static long makeSymbolicLong(String name) {
        long value = Inputs.nextLong(name);
        within(value, "long", name);
        return value;
    }

    public static short makeSymbolicShort(String name) {
        short value = Inputs.nextShort(name);
        within(value, "short", name);
        return value;
    }

    public static byte makeSymbolicByte(String name) {
        byte value = Inputs.nextByte(name);
        within(value, "byte", name);
        return value;
    }

    public static double makeSymbolicReal(String name) {
        double value = Inputs.nextDouble(name);
        within(value, name);
        return value;
    }

    /** An argument of a method under test. */
    static float makeSymbolicFloat(String name) {
        float value = Inputs.nextFloat(name);
        within(value, name);
        return value;
    }

    public static boolean makeSymbolicBoolean(String name) {
        return Inputs.nextBoolean(name);
    }

    public static char makeSymbolicChar(String name) {
        char value = Inputs.nextChar(name);
        within(value, "char", name);
        return value;
    }

    public static String makeSymbolicString(String name) {
        return Inputs.nextString(name);
    }

    private static void within(long value, String type, String name) {
        String least = bound("min_" + type, name);
        if (least != null) {
            Inputs.assume(value >= Long.parseLong(least));
        }
        String most = bound("max_" + type, name);
        if (most != null) {
            Inputs.assume(value <= Long.parseLong(most));
        }
    }

    private static void within(double value, String name) {
        String least = bound("min_double", name);
        if (least != null) {
            Inputs.assume(value >= Double.parseDouble(least));
        }
        String most = bound("max_double", name);
        if (most != null) {
            Inputs.assume(value <= Double.parseDouble(most));
        }
    }

    /** Setting of a bound for the input with this name, or else for all inputs of its type; null if there is none. */
    private static String bound(String key, String name) {
        String common = System.getProperty("symbolic." + key);
        return System.getProperty("symbolic." + key + "_" + name, common);
    }

    /** A string of {@code size} characters. */
    public static String makeSymbolicString(String name, int size) {
        char[] letters = new char[size];
        for (int i = 0; i < size; i++) {
            letters[i] = makeSymbolicChar(name + i);
        }
        return new String(letters);
    }

    public static int addSymbolicInt(int v, String name) {
        return makeSymbolicInteger(name);
    }

    public static byte addSymbolicByte(byte v, String name) {
        return makeSymbolicByte(name);
    }

    public static char addSymbolicChar(char v, String name) {
        return makeSymbolicChar(name);
    }

    public static double addSymbolicDouble(double v, String name) {
        return makeSymbolicReal(name);
    }

    public static boolean addSymbolicBoolean(boolean v, String name) {
        return makeSymbolicBoolean(name);
    }

    /** Null, or the object with new values in its fields. */
    public static Object makeSymbolicRef(String name, Object v) {
        if (Inputs.nextBoolean(name + " is null")) {
            return makeSymbolicNull(name);
        }
        makeFieldsSymbolic(name, v);
        return v;
    }

    /**
     * Gives new values to the fields of an object. One whose type is a class other than of strings and boxes, or an
     * array of others than primitive values and strings, becomes null; other values of it are refused.
     */
    public static void makeFieldsSymbolic(String name, Object v) {
        Objects.open(name, v);
    }

    public static Object makeSymbolicNull(String name) {
        return null;
    }

    public static boolean isSymbolicInteger(int v) {
        return Inputs.isOpen(v);
    }

    public static boolean isSymbolicLong(long v) {
        return Inputs.isOpen(v);
    }

    public static boolean isSymbolicShort(short v) {
        return Inputs.isOpen(v);
    }

    public static boolean isSymbolicByte(byte v) {
        return Inputs.isOpen(v);
    }

    public static boolean isSymbolicChar(char v) {
        return Inputs.isOpen(v);
    }

    /** The value in decimal; one is chosen if it is open. */
    public static String getSymbolicIntegerValue(int v) {
        return Integer.toString(v);
    }

    public static String getSymbolicLongValue(long v) {
        return Long.toString(v);
    }

    public static String getSymbolicShortValue(short v) {
        return Short.toString(v);
    }

    public static String getSymbolicByteValue(byte v) {
        return Byte.toString(v);
    }

    public static String getSymbolicCharValue(char v) {
        return Character.toString(v);
    }

    public static String getSymbolicRealValue(double v) {
        return Double.toString(v);
    }

    public static String getSymbolicRealValue4Z3(double v) {
        return Double.toString(v);
    }

    public static String getSymbolicBooleanValue(boolean v) {
        return Boolean.toString(v);
    }

    public static String getSymbolicStringValue(String v) {
        return v;
    }

    public static void printPC(String msg) {
    }

    public static String getSolvedPC() {
        return "";
    }

    public static String getPC_prefix_notation() {
        return "";
    }

    public static String PC4Z3() {
        return "";
    }

    public static void printSymbolicRef(Object v, String msg) {
    }

    public static void printHeapPC(String msg) {
    }

    public static native boolean checkAccuracy(double v, double err);

    /** False: no state is taken for one that was seen before. */
    public static boolean matchAbstractState(Object v) {
        return false;
    }

    public static void addCost(Object v) {
    }

    public static void setLastObservedInputSize(Object v) {
        lastObservedInputSize = ((Number) v).intValue();
    }

    public static int getLastObservedInputSize() {
        return lastObservedInputSize;
    }

    public static native double getLastMeasuredMetricValue();

    public static void clearMeasurements() {
    }
}
