package org.junit.jupiter.api;

import java.time.Duration;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.function.ThrowingSupplier;

/**
 * As in JUnit 5, as far as generated tests use it. The overloads are those of JUnit, since the compiler chooses among
 * them.
 */
public final class Assertions {
    private Assertions() {}

    public static void assertEquals(byte expected, byte actual) {
        equal(expected, actual);
    }

    public static void assertEquals(byte expected, Byte actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Byte expected, byte actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Byte expected, Byte actual) {
        equal(expected, actual);
    }

    public static void assertEquals(char expected, char actual) {
        equal(expected, actual);
    }

    public static void assertEquals(char expected, Character actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Character expected, char actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Character expected, Character actual) {
        equal(expected, actual);
    }

    public static void assertEquals(double expected, double actual) {
        equal(expected, actual);
    }

    public static void assertEquals(double expected, Double actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Double expected, double actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Double expected, Double actual) {
        equal(expected, actual);
    }

    public static void assertEquals(float expected, float actual) {
        equal(expected, actual);
    }

    public static void assertEquals(float expected, Float actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Float expected, float actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Float expected, Float actual) {
        equal(expected, actual);
    }

    public static void assertEquals(int expected, int actual) {
        equal(expected, actual);
    }

    public static void assertEquals(int expected, Integer actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Integer expected, int actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Integer expected, Integer actual) {
        equal(expected, actual);
    }

    public static void assertEquals(long expected, long actual) {
        equal(expected, actual);
    }

    public static void assertEquals(long expected, Long actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Long expected, long actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Long expected, Long actual) {
        equal(expected, actual);
    }

    public static void assertEquals(short expected, short actual) {
        equal(expected, actual);
    }

    public static void assertEquals(short expected, Short actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Short expected, short actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Short expected, Short actual) {
        equal(expected, actual);
    }

    public static void assertEquals(Object expected, Object actual) {
        equal(expected, actual);
    }

    public static void assertArrayEquals(boolean[] expected, boolean[] actual) {
        equalElements(expected, actual);
    }

    public static void assertArrayEquals(byte[] expected, byte[] actual) {
        equalElements(expected, actual);
    }

    public static void assertArrayEquals(char[] expected, char[] actual) {
        equalElements(expected, actual);
    }

    public static void assertArrayEquals(double[] expected, double[] actual) {
        equalElements(expected, actual);
    }

    public static void assertArrayEquals(float[] expected, float[] actual) {
        equalElements(expected, actual);
    }

    public static void assertArrayEquals(int[] expected, int[] actual) {
        equalElements(expected, actual);
    }

    public static void assertArrayEquals(long[] expected, long[] actual) {
        equalElements(expected, actual);
    }

    public static void assertArrayEquals(short[] expected, short[] actual) {
        equalElements(expected, actual);
    }

    public static void assertArrayEquals(Object[] expected, Object[] actual) {
        equalElements(expected, actual);
    }

    public static void assertTrue(boolean condition) {
        equal(true, condition);
    }

    public static void assertTrue(BooleanSupplier condition) {
        equal(true, condition.getAsBoolean());
    }

    public static void assertFalse(boolean condition) {
        equal(false, condition);
    }

    public static void assertFalse(BooleanSupplier condition) {
        equal(false, condition.getAsBoolean());
    }

    public static void assertNull(Object actual) {
        equal(null, actual);
    }

    public static void assertNotNull(Object actual) {
        if (actual == null) {
            throw new AssertionError("expected: not <null>");
        }
    }

    public static void assertSame(Object expected, Object actual) {
        if (expected != actual) {
            throw new AssertionError("expected another object than " + shown(actual));
        }
    }

    public static void assertNotSame(Object unexpected, Object actual) {
        if (unexpected == actual) {
            throw new AssertionError("expected another object than " + shown(actual));
        }
    }

    /** Ends with the first failure as it is, so that its trace names the line of the assertion. */
    public static void assertAll(Executable... executables) {
        Throwable first = null;
        for (Executable executable : executables) {
            try {
                executable.execute();
            } catch (Throwable thrown) {
                first = first == null ? thrown : first;
            }
        }
        if (first != null) {
            throw Assertions.<RuntimeException>unchecked(first);
        }
    }

    public static <T extends Throwable> T assertThrows(Class<T> expected, Executable executable) {
        try {
            executable.execute();
        } catch (Throwable thrown) {
            if (expected.isInstance(thrown)) {
                return expected.cast(thrown);
            }
            throw new AssertionError("expected: " + expected.getName() + " but was: " + thrown, thrown);
        }
        throw new AssertionError("expected: " + expected.getName() + " but nothing was thrown");
    }

    public static void assertTimeoutPreemptively(Duration timeout, Executable executable) {
        assertTimeoutPreemptively(timeout, () -> {
            executable.execute();
            return null;
        });
    }

    public static <T> T assertTimeoutPreemptively(Duration timeout, ThrowingSupplier<T> supplier) {
        Object[] result = new Object[1];
        Throwable[] thrown = new Throwable[1];
        Thread thread = new Thread(() -> {
            try {
                result[0] = supplier.get();
            } catch (Throwable caught) {
                thrown[0] = caught;
            }
        });
        thread.setDaemon(true);
        thread.start();
        try {
            thread.join(timeout.toMillis());
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
        if (thread.isAlive()) {
            throw new AssertionError("execution timed out");
        }
        if (thrown[0] != null) {
            throw Assertions.<RuntimeException>unchecked(thrown[0]);
        }
        @SuppressWarnings("unchecked")
        T value = (T) result[0];
        return value;
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> E unchecked(Throwable thrown) throws E {
        throw (E) thrown;
    }

    private static void equal(Object expected, Object actual) {
        if (!Objects.equals(expected, actual)) {
            throw new AssertionError("expected: " + shown(expected) + " but was: " + shown(actual));
        }
    }

    private static void equalElements(Object expected, Object actual) {
        if (!Objects.deepEquals(expected, actual)) {
            throw new AssertionError("expected other elements");
        }
    }

    private static String shown(Object value) {
        try {
            return "<" + value + ">";
        } catch (RuntimeException | StackOverflowError unshown) {
            return "an object of " + value.getClass();
        }
    }
}
