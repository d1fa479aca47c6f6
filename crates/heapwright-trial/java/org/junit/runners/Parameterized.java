package org.junit.runners;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** As in JUnit 4, as far as generated tests use it. */
public final class Parameterized {
    private Parameterized() {}

    /** Marks the method that gives the rows. */
    @Target(ElementType.METHOD)
    @Retention(RetentionPolicy.RUNTIME)
    public @interface Parameters {
        String name() default "";
    }
}
