package org.junit.platform.launcher.core;

import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.Filter;
import org.junit.platform.launcher.LauncherDiscoveryRequest;

/** As in the JUnit Platform, as far as the driver uses it. */
public final class LauncherDiscoveryRequestBuilder {
    private LauncherDiscoveryRequestBuilder() {}

    public static native LauncherDiscoveryRequestBuilder request();

    public native LauncherDiscoveryRequestBuilder selectors(DiscoverySelector... selectors);

    public native LauncherDiscoveryRequestBuilder filters(Filter<?>... filters);

    public native LauncherDiscoveryRequestBuilder configurationParameter(String key, String value);

    public native LauncherDiscoveryRequest build();
}
