package org.junit.jupiter.api;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As in JUnit 5, as far as the driver uses it. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Test {}
