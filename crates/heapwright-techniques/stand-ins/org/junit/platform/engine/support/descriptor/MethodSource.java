package org.junit.platform.engine.support.descriptor;

import org.junit.platform.engine.TestSource;

/** As in the JUnit Platform, as far as the driver uses it. */
public class MethodSource implements TestSource {
    private MethodSource() {}

    public native String getClassName();

    public native String getMethodName();
}
