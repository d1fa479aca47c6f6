package gov.nasa.jpf.vm;

import heapwright.verify.Inputs;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/**
 * Choices and other requests of programs for Java PathFinder. Choices are inputs. Counters, values and bit sets belong
 * to the state of the program: they go back with a path, so that each path counts by itself, whereas those of JPF go on
 * counting. Native methods are refused at the call. Hints to JPF's search have no effect.
 */
public class Verify {
    /** Answer of {@link #getValue} for a key without a value. */
    public static final int NO_VALUE = -1;

    public static final int SEVERE = 1;
    public static final int WARNING = 2;
    public static final int INFO = 3;
    public static final int FINE = 4;
    public static final int FINER = 5;
    public static final int FINEST = 6;

    private static final Map<Integer, Integer> COUNTERS = new HashMap<>();
    private static final Map<Integer, BitSet> BIT_SETS = new HashMap<>();
    private static final Map<String, Integer> VALUES = new HashMap<>();
    private static final int MAX_FLIPPED_BITS = 7;

    private static int heuristicSearchValue;

    protected Verify() {
    }

    public static boolean getBoolean() {
        return Inputs.nextBoolean(null);
    }

    public static boolean getBoolean(boolean falseFirst) {
        return getBoolean();
    }

    /** A number between two others, which are included, in either order. */
    public static int getInt(int min, int max) {
        return between(Math.min(min, max), Math.max(min, max));
    }

    private static int between(int least, int most) {
        int number = Inputs.nextInt(null);
        Inputs.assume(number >= least && number <= most);
        return number;
    }

    /** A number with this name; JPF's configuration, which may restrict it, is not known. */
    public static int getInt(String key) {
        return Inputs.nextInt(key);
    }

    /** A number with this name; JPF's configuration, which may restrict it, is not known. */
    public static double getDouble(String key) {
        return Inputs.nextDouble(key);
    }

    public static native Object getObject(String key);

    public static int getIntFromList(int... values) {
        return values[between(0, values.length - 1)];
    }

    public static long getLongFromList(long... values) {
        return values[between(0, values.length - 1)];
    }

    public static float getFloatFromList(float... values) {
        return values[between(0, values.length - 1)];
    }

    public static double getDoubleFromList(double... values) {
        return values[between(0, values.length - 1)];
    }

    /** A number from 0 to {@code max}, which is included. */
    public static int random(int max) {
        return getInt(0, max);
    }

    public static boolean randomBool() {
        return getBoolean();
    }

    /** Null, as in JPF. */
    public static Object randomObject(String type) {
        return null;
    }

    /** The number with {@code nBit} of its lowest {@code len} bits flipped. */
    public static long getBitFlip(long v, int nBit, int len) {
        if (nBit < 0 || nBit > MAX_FLIPPED_BITS || nBit > len || len > Long.SIZE) {
            throw new IllegalArgumentException(nBit + " of " + len + " bits cannot be flipped");
        }
        long flipped = v;
        int last = -1;
        for (int i = 0; i < nBit; i++) {
            int bit = between(last + 1, len - (nBit - i));
            flipped ^= 1L << bit;
            last = bit;
        }
        return flipped;
    }

    public static long getBitFlip(long v, int nBit) {
        return getBitFlip(v, nBit, Long.SIZE);
    }

    public static int getBitFlip(int v, int nBit) {
        return (int) getBitFlip((long) v, nBit, Integer.SIZE);
    }

    public static short getBitFlip(short v, int nBit) {
        return (short) getBitFlip((long) v, nBit, Short.SIZE);
    }

    public static char getBitFlip(char v, int nBit) {
        return (char) getBitFlip((long) v, nBit, Character.SIZE);
    }

    public static byte getBitFlip(byte v, int nBit) {
        return (byte) getBitFlip((long) v, nBit, Byte.SIZE);
    }

    public static double getBitFlip(double v, int nBit) {
        return Double.longBitsToDouble(getBitFlip(Double.doubleToRawLongBits(v), nBit));
    }

    public static float getBitFlip(float v, int nBit) {
        return Float.intBitsToFloat(getBitFlip(Float.floatToRawIntBits(v), nBit));
    }

    public static boolean getBitFlip(boolean v) {
        return !v;
    }

    /** Leaves the inputs out for which the condition is true. */
    public static void ignoreIf(boolean cond) {
        Inputs.assume(!cond);
    }

    public static void assertTrue(String s, boolean cond) {
        if (!cond) {
            throw new AssertionError(s);
        }
    }

    public static void assertTrue(boolean cond) {
        if (!cond) {
            throw new AssertionError();
        }
    }

    public static int getCounter(int id) {
        return COUNTERS.getOrDefault(id, 0);
    }

    public static void resetCounter(int id) {
        setCounter(id, 0);
    }

    public static void setCounter(int id, int val) {
        COUNTERS.put(id, val);
    }

    public static int incrementCounter(int id) {
        setCounter(id, getCounter(id) + 1);
        return getCounter(id);
    }

    public static void putValue(String key, int value) {
        VALUES.put(key, value);
    }

    public static int getValue(String key) {
        return VALUES.getOrDefault(key, NO_VALUE);
    }

    public static void setBitInBitSet(int id, int bit, boolean value) {
        BIT_SETS.computeIfAbsent(id, key -> new BitSet()).set(bit, value);
    }

    public static boolean getBitInBitSet(int id, int bit) {
        BitSet bits = BIT_SETS.get(id);
        return bits != null && bits.get(bit);
    }

    public static boolean isRunningInJPF() {
        return true;
    }

    public static boolean vmIsMatchingStates() {
        return false;
    }

    public static boolean isTraceReplay() {
        return false;
    }

    /** Whether the method that asks was called by one of a class or of its subclasses. */
    public static boolean isCalledFromClass(String refClsName) {
        StackTraceElement[] frames = new Throwable().getStackTrace();
        if (frames.length < 3) {
            return false;
        }
        try {
            return Class.forName(refClsName).isAssignableFrom(Class.forName(frames[2].getClassName()));
        } catch (ClassNotFoundException e) {
            return false;
        }
    }

    public static native boolean isShared(Object o);

    public static void setShared(Object o, boolean isShared) {
    }

    public static void freezeSharedness(Object o, boolean freeze) {
    }

    /** A choice between two numbers, which are included. */
    public static int breakTransition(String reason, int min, int max) {
        return getInt(min, max);
    }

    public static void breakTransition(String reason) {
    }

    /** Without effect: threads run by one schedule. */
    public static void beginAtomic() {
    }

    /** Without effect: threads run by one schedule. */
    public static void endAtomic() {
    }

    public static void boring(boolean cond) {
    }

    public static void interesting(boolean cond) {
    }

    public static void busyWait(long duration) {
    }

    public static long currentTimeMillis() {
        return System.currentTimeMillis();
    }

    public static void setHeuristicSearchValue(int n) {
        heuristicSearchValue = n;
    }

    public static void resetHeuristicSearchValue() {
        heuristicSearchValue = 0;
    }

    public static int getHeuristicSearchValue() {
        return heuristicSearchValue;
    }

    public static native void terminateSearch();

    public static void storeTrace(String fileName, String comment) {
    }

    public static void storeTraceIf(boolean cond, String fileName, String comment) {
    }

    public static void storeTraceAndTerminate(String fileName, String comment) {
        terminateSearch();
    }

    public static void storeTraceAndTerminateIf(boolean cond, String fileName, String comment) {
        if (cond) {
            terminateSearch();
        }
    }

    public static void addComment(String s) {
    }

    public static void atLabel(String label) {
    }

    public static void atLabel(int label) {
    }

    public static void instrumentPoint(String label) {
    }

    public static void instrumentPointDeep(String label) {
    }

    public static void instrumentPointDeepRecur(String label, int depth) {
    }

    public static void printPathOutput(String msg) {
    }

    public static void printPathOutput(boolean cond, String msg) {
    }

    public static void threadPrint(String s) {
        System.out.print(Thread.currentThread().getName() + ": " + s);
    }

    public static void threadPrintln(String s) {
        threadPrint(s + System.lineSeparator());
    }

    public static void print(String s) {
        System.out.print(s);
    }

    public static void print(String s, int i) {
        System.out.print(s + " : " + i);
    }

    public static void print(String s, boolean b) {
        System.out.print(s + " : " + b);
    }

    public static void print(String... args) {
        for (String text : args) {
            System.out.print(text);
        }
    }

    public static void println(String s) {
        System.out.println(s);
    }

    public static void println() {
        System.out.println();
    }

    public static void log(String loggerId, int logLevel, String msg) {
    }

    public static void log(String loggerId, int logLevel, String msg, String arg) {
    }

    public static void log(String loggerId, int logLevel, String format, Object... args) {
    }

    public static void setPeerClass(Class<?> cls) {
    }

    public static void setProperties(String... p) {
    }

    /** Null: JPF's configuration is not known. */
    public static String getProperty(String key) {
        return null;
    }

    public static native <T> T createFromJSON(Class<T> clazz, String json);

    public static native void writeObjectToFile(Object object, String fileName);

    public static native <T> T readObjectFromFile(Class<T> clazz, String fileName);

    public static native void setFieldAttribute(Object o, String fieldName, int val);

    public static native int getFieldAttribute(Object o, String fieldName);

    public static native void addFieldAttribute(Object o, String fieldName, int val);

    public static native int[] getFieldAttributes(Object o, String fieldName);

    public static native void setLocalAttribute(String varName, int val);

    public static native int getLocalAttribute(String varName);

    public static native void addLocalAttribute(String varName, int val);

    public static native int[] getLocalAttributes(String varName);

    public static native void setElementAttribute(Object arr, int idx, int val);

    public static native int getElementAttribute(Object arr, int idx);

    public static native void addElementAttribute(Object arr, int idx, int val);

    public static native int[] getElementAttributes(Object arr, int idx);

    public static native void setObjectAttribute(Object o, int val);

    public static native int getObjectAttribute(Object o);

    public static native void addObjectAttribute(Object o, int val);

    public static native int[] getObjectAttributes(Object o);
}
