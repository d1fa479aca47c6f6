package org.junit;

import org.junit.function.ThrowingRunnable;
import org.junit.jupiter.api.Assertions;

/**
 * As in JUnit 4, as far as generated tests use it. The overloads are those of JUnit, since the compiler chooses among
 * them.
 */
public final class Assert {
    private Assert() {}

    public static void assertEquals(Object expected, Object actual) {
        Assertions.assertEquals(expected, actual);
    }

    public static void assertEquals(long expected, long actual) {
        Assertions.assertEquals(expected, actual);
    }

    /**
     * As JUnit has it, for the compiler to warn of.
     *
     * @deprecated since it compares without a delta
     */
    @Deprecated
    public static void assertEquals(double expected, double actual) {
        throw new AssertionError("Use assertEquals(expected, actual, delta) to compare floating-point numbers");
    }

    public static void assertEquals(double expected, double actual, double delta) {
        if (Double.compare(expected, actual) != 0 && !(Math.abs(expected - actual) <= delta)) {
            throw new AssertionError("expected:<" + expected + "> but was:<" + actual + ">");
        }
    }

    public static void assertEquals(float expected, float actual, float delta) {
        if (Float.compare(expected, actual) != 0 && !(Math.abs(expected - actual) <= delta)) {
            throw new AssertionError("expected:<" + expected + "> but was:<" + actual + ">");
        }
    }

    public static void assertArrayEquals(boolean[] expected, boolean[] actual) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertArrayEquals(char[] expected, char[] actual) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertArrayEquals(int[] expected, int[] actual) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertArrayEquals(long[] expected, long[] actual) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertArrayEquals(short[] expected, short[] actual) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertArrayEquals(double[] expected, double[] actual, double delta) {
        Assertions.assertEquals(expected.length, actual.length);
        for (int index = 0; index < expected.length; index++) {
            assertEquals(expected[index], actual[index], delta);
        }
    }

    public static void assertArrayEquals(float[] expected, float[] actual, float delta) {
        Assertions.assertEquals(expected.length, actual.length);
        for (int index = 0; index < expected.length; index++) {
            assertEquals(expected[index], actual[index], delta);
        }
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertTrue(boolean condition) {
        Assertions.assertTrue(condition);
    }

    public static void assertFalse(boolean condition) {
        Assertions.assertFalse(condition);
    }

    public static void assertNull(Object actual) {
        Assertions.assertNull(actual);
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, ThrowingRunnable run) {
        return Assertions.assertThrows(expected, run::run);
    }

    public static void assertNotNull(Object actual) {
        Assertions.assertNotNull(actual);
    }

    public static void assertSame(Object expected, Object actual) {
        Assertions.assertSame(expected, actual);
    }

    public static void assertNotSame(Object unexpected, Object actual) {
        Assertions.assertNotSame(unexpected, actual);
    }
}
