package org.junit.platform.engine;

/** As in the JUnit Platform, as far as the driver uses it. */
public class FilterResult {
    private FilterResult() {}

    public static native FilterResult includedIf(boolean included);
}
