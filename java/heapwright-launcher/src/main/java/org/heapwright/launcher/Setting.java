package org.heapwright.launcher;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

import static org.heapwright.launcher.Goal.CHECK;
import static org.heapwright.launcher.Goal.COMPARE;
import static org.heapwright.launcher.Goal.GENERATE;
import static org.heapwright.launcher.Goal.KORAT;
import static org.heapwright.launcher.Goal.MEASURE;

/**
 * A setting of a build that becomes an option of the program. Its name in builds is that of the
 * parameter of Maven's goals and of the property of Gradle's extension.
 */
public enum Setting {
    TIME_LIMIT("timeLimit", "--time-limit", GENERATE, CHECK, MEASURE, COMPARE, KORAT),
    MAX_MEMORY("maxMemory", "--max-memory", GENERATE, CHECK, MEASURE, COMPARE, KORAT),
    THREADS("threads", "--jobs", GENERATE, CHECK, MEASURE, COMPARE),
    MUTATORS("mutators", "--mutants", GENERATE, MEASURE),
    JUNIT("junit", "--junit", GENERATE, CHECK),
    UPDATE("update", "--update", GENERATE),
    CHANGED_SINCE("changedSince", "--changed-since", GENERATE),
    SCOPE("scope", "--scope", CHECK, COMPARE),
    INVARIANT("invariant", "--invariant", GENERATE, CHECK, COMPARE),
    OUTPUT_FORMATS("outputFormats", "--report-formats", GENERATE, CHECK, MEASURE),
    TARGET_TESTS("targetTests", "--test-class", MEASURE),
    FINITIZATION("finitization", "--finitization", KORAT),
    FINITIZATION_ARGUMENTS("args", "--args", KORAT),
    PREDICATE("predicate", "--predicate", KORAT);

    private final String buildName;
    private final String option;
    private final Set<Goal> goals;

    Setting(String buildName, String option, Goal first, Goal... others) {
        this.buildName = buildName;
        this.option = option;
        this.goals = Collections.unmodifiableSet(EnumSet.of(first, others));
    }

    /** Name in build files. */
    public String buildName() {
        return buildName;
    }

    /** Option on the command line. */
    public String option() {
        return option;
    }

    /** Goals that have the setting. */
    public Set<Goal> goals() {
        return goals;
    }
}
