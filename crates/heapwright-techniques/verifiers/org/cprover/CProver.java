package org.cprover;

import heapwright.verify.Inputs;
import heapwright.verify.Objects;
import java.io.BufferedInputStream;
import java.io.PrintStream;
import java.lang.reflect.Array;

/**
 * Inputs as programs for JBMC ask for them. Native methods are refused at the call; so are objects that are neither
 * strings, boxes nor arrays of primitive values or strings.
 */
public final class CProver {
    /** Not looked at. */
    public static boolean enableAssume = true;
    /** Not looked at. */
    public static boolean enableNondet = true;
    /** Not looked at. */
    public static boolean enableConcurrency = true;

    private CProver() {
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

    /** A string that may be null. */
    public static String nondetString() {
        return Inputs.nextBoolean(null) ? null : Inputs.nextString(null);
    }

    /** Null or a value of the class of {@code instance}. */
    public static <T> T nondetWithNull(T instance) {
        return Inputs.nextBoolean(null) ? null : nondetWithoutNull(instance);
    }

    /** A value of the class of {@code instance}. */
    @SuppressWarnings("unchecked")
    public static <T> T nondetWithoutNull(T instance) {
        return (T) Objects.like(null, instance);
    }

    public static native <T> T nondetWithNull();

    public static native <T> T nondetWithoutNull();

    public static native <T> T nondetWithNullForNotModelled();

    public static native <T> T nondetWithoutNullForNotModelled();

    public static native PrintStream nondetPrintStream();

    public static native BufferedInputStream nondetBufferedInputStream();

    public static native void notModelled();

    public static native void startThread(int id);

    public static native void endThread(int id);

    public static native int getCurrentThreadId();

    public static native int getMonitorCount(Object object);

    /** Without effect: a thread is never interrupted between two calls of {@code Thread}. */
    public static void atomicBegin() {
    }

    /** Without effect. */
    public static void atomicEnd() {
    }

    /** Copies bytes as they were before the call. */
    public static void arraycopy(byte[] src, int srcPos, byte[] dest, int destPos, int length) {
        System.arraycopy(src, srcPos, dest, destPos, length);
    }

    /** Copies bytes one by one, so that where the ranges overlap copied bytes are copied again. */
    public static void arraycopyInPlace(byte[] src, int srcPos, byte[] dest, int destPos, int length) {
        for (int i = 0; i < length; i++) {
            dest[destPos + i] = src[srcPos + i];
        }
    }

    public static String classIdentifier(Object object) {
        return object.getClass().getCanonicalName();
    }

    /** Converts a number that a float holds exactly; the path ends for others. */
    public static float doubleToFloat(double value) {
        float converted = (float) value;
        Inputs.assume(converted == value);
        return converted;
    }

    @SuppressWarnings("unchecked")
    public static <T> T[] createArrayWithType(int length, T[] type) {
        return (T[]) Array.newInstance(type.getClass().getComponentType(), length);
    }
}
