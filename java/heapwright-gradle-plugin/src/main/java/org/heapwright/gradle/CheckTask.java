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

/**
 * Calls every method of the classes with an invariant on every structure with every argument within
 * bounds, and reports broken invariants, unexpected exceptions and endless calls.
 */
@CacheableTask
public abstract class CheckTask extends HeapwrightTask {
    @Inject
    public CheckTask(ProjectLayout layout) {
        super(Goal.CHECK, layout);
    }

    /** Bounds of structures. */
    @Input
    @Option(option = "scope", description = "Bounds of structures: so many objects of a class")
    public abstract Property<Integer> getScope();

    /** Name of the invariants, or none. */
    @Input
    @Optional
    public abstract Property<String> getInvariant();

    /** Framework of the reproducers. */
    @Input
    @Optional
    public abstract Property<String> getJunit();

    @Override
    void addSettings(Settings settings) {
        settings.set(Setting.SCOPE, getScope().get())
                .set(Setting.INVARIANT, getInvariant().getOrNull())
                .set(Setting.JUNIT, getJunit().getOrNull());
    }
}
