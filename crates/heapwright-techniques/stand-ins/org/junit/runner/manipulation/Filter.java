package org.junit.runner.manipulation;

import org.junit.runner.Description;

/** As in JUnit 4, as far as the driver uses it. */
public abstract class Filter {
    public abstract boolean shouldRun(Description description);

    public abstract String describe();
}
