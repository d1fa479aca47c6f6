package org.junit.runner;

/** As in JUnit 4, as far as the driver uses it. */
public abstract class Request {
    public static native Request aClass(Class<?> type);

    public abstract Runner getRunner();
}
