package org.testng;

import java.util.Collection;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Assertions;

/**
 * As in TestNG, as far as generated tests use it. The overloads are those of TestNG, since the compiler chooses among
 * them; values are equal as in Java, which is at least as strict.
 */
public final class Assert {
    private Assert() {}

    /** As in TestNG. */
    public interface ThrowingRunnable {
        void run() throws Throwable;
    }

    public static void assertEquals(Object actual, Object expected) {
        boolean isArray = expected != null && expected.getClass().isArray();
        if (isArray) {
            Assertions.assertArrayEquals(new Object[] {expected}, new Object[] {actual});
        } else {
            Assertions.assertEquals(expected, actual);
        }
    }

    public static void assertEquals(String actual, String expected) {
        Assertions.assertEquals(expected, actual);
    }

    /** In their order. */
    public static void assertEquals(Collection<?> actual, Collection<?> expected) {
        if (actual == null || expected == null) {
            Assertions.assertEquals((Object) expected, (Object) actual);
        } else {
            Assertions.assertArrayEquals(expected.toArray(), actual.toArray());
        }
    }

    public static void assertEquals(Set<?> actual, Set<?> expected) {
        Assertions.assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(Map<?, ?> actual, Map<?, ?> expected) {
        Assertions.assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(Object[] actual, Object[] expected) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertEquals(boolean actual, boolean expected) {
        Assertions.assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(boolean[] actual, boolean[] expected) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertEquals(byte actual, byte expected) {
        Assertions.assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(byte[] actual, byte[] expected) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertEquals(char actual, char expected) {
        Assertions.assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(char[] actual, char[] expected) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertEquals(double actual, double expected) {
        Assertions.assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(double[] actual, double[] expected) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertEquals(float actual, float expected) {
        Assertions.assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(float[] actual, float[] expected) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertEquals(int actual, int expected) {
        Assertions.assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(int[] actual, int[] expected) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertEquals(long actual, long expected) {
        Assertions.assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(long[] actual, long[] expected) {
        Assertions.assertArrayEquals(expected, actual);
    }

    public static void assertEquals(short actual, short expected) {
        Assertions.assertEquals((Object) expected, (Object) actual);
    }

    public static void assertEquals(short[] actual, short[] expected) {
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

    public static void assertNotNull(Object actual) {
        Assertions.assertNotNull(actual);
    }

    public static void assertSame(Object actual, Object expected) {
        Assertions.assertSame(expected, actual);
    }

    public static void assertNotSame(Object actual, Object expected) {
        Assertions.assertNotSame(expected, actual);
    }

    public static <T extends Throwable> void assertThrows(Class<T> expected, ThrowingRunnable runnable) {
        Assertions.assertThrows(expected, runnable::run);
    }

    public static <T extends Throwable> T expectThrows(Class<T> expected, ThrowingRunnable runnable) {
        return Assertions.assertThrows(expected, runnable::run);
    }
}
