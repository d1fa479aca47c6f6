package org.junit.platform.launcher;

import java.util.Optional;
import org.junit.platform.engine.TestSource;

/** As in the JUnit Platform, as far as the driver uses it. */
public final class TestIdentifier {
    private TestIdentifier() {}

    public native boolean isTest();

    public native String getUniqueId();

    public native String getDisplayName();

    public native String getLegacyReportingName();

    public native Optional<TestSource> getSource();
}
