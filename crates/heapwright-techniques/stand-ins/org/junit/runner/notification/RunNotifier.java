package org.junit.runner.notification;

/** As in JUnit 4, as far as the driver uses it. */
public class RunNotifier {
    public native void addListener(RunListener listener);
}
