package org.junit.jupiter.api.function;

/** As in JUnit 5. */
@FunctionalInterface
public interface Executable {
    void execute() throws Throwable;
}
