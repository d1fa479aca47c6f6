package org.testng.annotations;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/** As in TestNG, as far as the driver uses it. */
@Retention(RetentionPolicy.RUNTIME)
public @interface Test {
    String[] dependsOnMethods() default {};

    String[] dependsOnGroups() default {};
}
