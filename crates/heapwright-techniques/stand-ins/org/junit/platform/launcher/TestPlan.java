package org.junit.platform.launcher;

import java.util.Optional;
import java.util.Set;

/** As in the JUnit Platform, as far as the driver uses it. */
public class TestPlan {
    private TestPlan() {}

    public native Set<TestIdentifier> getRoots();

    public native Set<TestIdentifier> getDescendants(TestIdentifier parent);

    public native Optional<TestIdentifier> getParent(TestIdentifier child);
}
