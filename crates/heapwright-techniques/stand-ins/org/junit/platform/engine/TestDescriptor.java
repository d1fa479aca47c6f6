package org.junit.platform.engine;

/** As in the JUnit Platform, as far as the driver uses it. */
public interface TestDescriptor {
    UniqueId getUniqueId();
}
