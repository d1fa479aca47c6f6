package org.junit.function;

/** As in JUnit 4. */
public interface ThrowingRunnable {
    void run() throws Throwable;
}
