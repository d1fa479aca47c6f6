package org.junit;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As in JUnit 4, as far as the driver uses it. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Ignore {
    String value() default "";
}
