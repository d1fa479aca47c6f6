package org.junit.runner;

import java.util.ArrayList;

/** As in JUnit 4, as far as the driver uses it. */
public class Description {
    private Description() {}

    public native String getDisplayName();

    public native boolean isTest();

    public native ArrayList<Description> getChildren();

    public native <T extends java.lang.annotation.Annotation> T getAnnotation(Class<T> type);
}
