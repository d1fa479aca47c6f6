package org.heapwright.maven;

import java.util.List;
import org.apache.maven.plugins.annotations.Parameter;
import org.heapwright.launcher.FailurePolicy;
import org.heapwright.launcher.LauncherException;
import org.heapwright.launcher.Setting;
import org.heapwright.launcher.Settings;

/** What the goals have that are for classes chosen by patterns. */
abstract class AbstractClassesMojo extends AbstractHeapwrightMojo {
    /**
     * Classes under test. As with PIT, <code>*</code> stands for any characters, so that
     * <code>com.acme.*</code> are all classes of the package and of those below it. By default all classes
     * of the project.
     */
    @Parameter(property = "heapwright.targetClasses")
    private List<String> targetClasses;

    /** Classes that are left out, by the same patterns. */
    @Parameter(property = "heapwright.excludedClasses")
    private List<String> excludedClasses;

    /** Number of workers. By default one for each core. */
    @Parameter(property = "heapwright.threads")
    private String threads;

    /** Fails the build if a pattern of targetClasses fits no class of the project. */
    @Parameter(property = "heapwright.failIfNoClasses", defaultValue = "true")
    private boolean failIfNoClasses;

    /** Fails the build if a limit has cut the result. */
    @Parameter(property = "heapwright.failOnPartial", defaultValue = "false")
    private boolean failOnPartial;

    /** Whether a counterexample, a failing behaviour, a failing test or a difference fails the build. */
    abstract boolean failsOnCounterexample();

    @Override
    List<String> targets() {
        return targetClasses;
    }

    @Override
    List<String> excluded() {
        return excludedClasses;
    }

    @Override
    boolean failsWithoutClasses() {
        return failIfNoClasses;
    }

    @Override
    void addSettings(Settings settings) throws LauncherException {
        settings.set(Setting.THREADS, threads);
    }

    @Override
    FailurePolicy failurePolicy() {
        return new FailurePolicy(failsOnCounterexample(), failOnPartial, 0, 0);
    }

    /** Whether a partial result fails the build. */
    boolean failsOnPartial() {
        return failOnPartial;
    }
}
