package org.junit.runner;

import org.junit.runner.notification.RunNotifier;

/** As in JUnit 4, as far as the driver uses it. */
public abstract class Runner {
    public abstract void run(RunNotifier notifier);
}
