package org.junit.platform.launcher;

/** As in the JUnit Platform, as far as the driver uses it. */
public interface Launcher {
    void execute(LauncherDiscoveryRequest request, TestExecutionListener... listeners);
}
