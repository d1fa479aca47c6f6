package org.heapwright.gradle;

import javax.inject.Inject;
import org.gradle.api.file.ProjectLayout;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.options.Option;
import org.heapwright.launcher.FailurePolicy;
import org.heapwright.launcher.Goal;
import org.heapwright.launcher.Setting;
import org.heapwright.launcher.Settings;

/** Measures the project's tests: their coverage and mutation score. */
@CacheableTask
public abstract class MeasureTask extends HeapwrightTask {
    @Inject
    public MeasureTask(ProjectLayout layout) {
        super(Goal.MEASURE, layout);
    }

    /** Operators of mutants. */
    @Input
    @Optional
    @Option(option = "mutators", description = "Operators of mutants: none, defaults, stronger, all or logic")
    public abstract Property<String> getMutators();

    /** Test classes that are run, by the same patterns as targetClasses. */
    @Input
    public abstract ListProperty<String> getTargetTests();

    /** Least mutation score in per cent. */
    @Input
    public abstract Property<Integer> getMutationThreshold();

    /** Least coverage of lines in per cent. */
    @Input
    public abstract Property<Integer> getCoverageThreshold();

    @Override
    void addSettings(Settings settings) {
        settings.set(Setting.MUTATORS, getMutators().getOrNull()).setTargetTests(getTargetTests().get());
    }

    @Override
    FailurePolicy failurePolicy() {
        return new FailurePolicy(
                getFailOnCounterexample().get(),
                getFailOnPartial().get(),
                getMutationThreshold().get(),
                getCoverageThreshold().get());
    }
}
