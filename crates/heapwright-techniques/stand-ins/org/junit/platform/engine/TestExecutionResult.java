package org.junit.platform.engine;

import java.util.Optional;

/** As in the JUnit Platform, as far as the driver uses it. */
public class TestExecutionResult {
    private TestExecutionResult() {}

    public native Status getStatus();

    public native Optional<Throwable> getThrowable();

    public enum Status {
        SUCCESSFUL,
        ABORTED,
        FAILED
    }
}
