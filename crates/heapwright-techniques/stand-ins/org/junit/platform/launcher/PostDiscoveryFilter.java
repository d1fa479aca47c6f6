package org.junit.platform.launcher;

import org.junit.platform.engine.Filter;
import org.junit.platform.engine.TestDescriptor;

/** As in the JUnit Platform, as far as the driver uses it. */
public interface PostDiscoveryFilter extends Filter<TestDescriptor> {}
