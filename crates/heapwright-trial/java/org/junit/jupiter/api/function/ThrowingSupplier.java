package org.junit.jupiter.api.function;

/** As in JUnit 5. */
@FunctionalInterface
public interface ThrowingSupplier<T> {
    T get() throws Throwable;
}
