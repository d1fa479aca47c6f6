package org.heapwright.launcher;

import java.util.Locale;

/** A verb of the program that builds can run. */
public enum Goal {
    /** Generates tests for the classes of a project. */
    GENERATE,
    /** Holds every method of a class with an invariant to it, on every structure within bounds. */
    CHECK,
    /** Measures the project's tests: coverage and mutation score. */
    MEASURE,
    /** Compares the structures that an invariant accepts with those that public methods build. */
    COMPARE,
    /** Runs Korat 1.0's command line. */
    KORAT;

    /** Name of the verb on the command line. */
    public String verb() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Whether the program is run once for each class. */
    public boolean isByClass() {
        return this == CHECK || this == COMPARE || this == KORAT;
    }

    /** Whether only classes with an invariant are of use. */
    public boolean needsInvariant() {
        return this == CHECK || this == COMPARE;
    }
}
