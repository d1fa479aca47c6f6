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

/** Runs Korat 1.0's command line for classes: the same options, counts and output. */
@CacheableTask
public abstract class KoratTask extends HeapwrightTask {
    @Inject
    public KoratTask(ProjectLayout layout) {
        super(Goal.KORAT, layout);
    }

    /** Arguments of the finitization method, separated by commas. */
    @Input
    @Optional
    @Option(option = "args", description = "Arguments of the finitization method, separated by commas")
    public abstract Property<String> getArgs();

    /** Finitization method. */
    @Input
    @Optional
    public abstract Property<String> getFinitization();

    /** Predicate. */
    @Input
    @Optional
    public abstract Property<String> getPredicate();

    @Override
    void addSettings(Settings settings) {
        settings.set(Setting.FINITIZATION_ARGUMENTS, getArgs().getOrNull())
                .set(Setting.FINITIZATION, getFinitization().getOrNull())
                .set(Setting.PREDICATE, getPredicate().getOrNull());
    }
}
