package org.heapwright.gradle;

import javax.inject.Inject;
import org.gradle.api.file.ProjectLayout;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.CacheableTask;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.options.Option;
import org.heapwright.launcher.Goal;
import org.heapwright.launcher.Setting;
import org.heapwright.launcher.Settings;

/** Compares the structures that invariants accept with those that public methods build. */
@CacheableTask
public abstract class CompareTask extends HeapwrightTask {
    @Inject
    public CompareTask(ProjectLayout layout) {
        super(Goal.COMPARE, layout);
    }

    /** Bounds of structures. */
    @Input
    @Option(option = "scope", description = "Bounds of structures: so many objects of a class")
    public abstract Property<Integer> getScope();

    /** Name of the invariants. */
    @Input
    @Optional
    public abstract Property<String> getInvariant();

    @Override
    void addSettings(Settings settings) {
        settings.set(Setting.SCOPE, getScope().get()).set(Setting.INVARIANT, getInvariant().getOrNull());
    }
}
