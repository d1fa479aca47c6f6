package org.junit.platform.engine.discovery;

/** As in the JUnit Platform, as far as the driver uses it. */
public final class DiscoverySelectors {
    private DiscoverySelectors() {}

    public static native ClassSelector selectClass(Class<?> type);
}
