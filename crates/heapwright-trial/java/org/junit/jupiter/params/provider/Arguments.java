package org.junit.jupiter.params.provider;

/** As in JUnit 5, as far as generated tests use it. */
public interface Arguments {
    Object[] get();

    static Arguments of(Object... arguments) {
        return () -> arguments;
    }
}
