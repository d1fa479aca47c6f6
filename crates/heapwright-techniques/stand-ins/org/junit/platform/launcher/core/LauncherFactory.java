package org.junit.platform.launcher.core;

import org.junit.platform.launcher.Launcher;

/** As in the JUnit Platform, as far as the driver uses it. */
public class LauncherFactory {
    private LauncherFactory() {}

    public static native Launcher create();

    public static native Launcher create(LauncherConfig config);
}
