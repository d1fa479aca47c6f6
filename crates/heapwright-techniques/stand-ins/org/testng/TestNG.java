package org.testng;

/** As in TestNG, as far as the driver uses it. */
public class TestNG {
    public TestNG(boolean useDefaultListeners) {}

    public native void setVerbose(int verbose);

    public native void setTestClasses(Class<?>[] classes);

    public native void run();
}
