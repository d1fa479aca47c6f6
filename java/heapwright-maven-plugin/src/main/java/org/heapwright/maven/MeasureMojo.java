package org.heapwright.maven;

import java.util.List;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.heapwright.launcher.FailurePolicy;
import org.heapwright.launcher.Goal;
import org.heapwright.launcher.LauncherException;
import org.heapwright.launcher.Settings;

/** Measures the project's tests: their coverage and mutation score. */
@Mojo(name = "measure", threadSafe = true, requiresDependencyResolution = ResolutionScope.TEST)
public final class MeasureMojo extends AbstractClassesMojo {
    /** Test classes that are run, by the same patterns as targetClasses. By default all. */
    @Parameter(property = "heapwright.targetTests")
    private List<String> targetTests;

    /**
     * Operators of the mutants: <code>none</code>, <code>defaults</code>, <code>stronger</code>, <code>all</code> or
     * <code>logic</code>. By default PIT's defaults.
     */
    @Parameter(property = "heapwright.mutators")
    private List<String> mutators;

    /** Fails the build if the mutation score is below, in per cent. */
    @Parameter(property = "heapwright.mutationThreshold", defaultValue = "0")
    private int mutationThreshold;

    /** Fails the build if the coverage of lines is below, in per cent. */
    @Parameter(property = "heapwright.coverageThreshold", defaultValue = "0")
    private int coverageThreshold;

    /** Fails the build if a test fails. */
    @Parameter(property = "heapwright.failOnCounterexample", defaultValue = "true")
    private boolean failOnCounterexample;

    @Override
    Goal goal() {
        return Goal.MEASURE;
    }

    @Override
    void addSettings(Settings settings) throws LauncherException {
        super.addSettings(settings);
        settings.setMutators(mutators).setTargetTests(targetTests);
    }

    @Override
    boolean runsTests() {
        return true;
    }

    @Override
    boolean failsOnCounterexample() {
        return failOnCounterexample;
    }

    @Override
    FailurePolicy failurePolicy() {
        return new FailurePolicy(failOnCounterexample, failsOnPartial(), mutationThreshold, coverageThreshold);
    }
}
