package org.junit.runner.notification;

import org.junit.runner.Description;

/** As in JUnit 4, as far as the driver uses it. */
public class Failure {
    private Failure() {}

    public native Description getDescription();

    public native Throwable getException();
}
