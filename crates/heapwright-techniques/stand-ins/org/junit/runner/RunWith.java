package org.junit.runner;

import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As in JUnit 4, as far as the driver uses it. */
@Inherited
@Retention(RetentionPolicy.RUNTIME)
public @interface RunWith {}
