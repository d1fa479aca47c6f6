package org.junit.platform.launcher.core;

/** As in the JUnit Platform, as far as the driver uses it. */
public interface LauncherConfig {
    static Builder builder() {
        return new Builder();
    }

    class Builder {
        public native Builder enableTestExecutionListenerAutoRegistration(boolean enabled);

        public native LauncherConfig build();
    }
}
