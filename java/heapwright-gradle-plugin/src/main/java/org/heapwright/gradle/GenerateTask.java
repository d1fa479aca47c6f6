package org.heapwright.gradle;

import java.nio.file.Path;
import javax.inject.Inject;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.ProjectLayout;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.options.Option;
import org.gradle.work.DisableCachingByDefault;
import org.heapwright.launcher.Goal;
import org.heapwright.launcher.Setting;
import org.heapwright.launcher.Settings;

/** Generates tests that cover the project's classes and notice changes of their code. */
@DisableCachingByDefault(because = "Tests are written among others")
public abstract class GenerateTask extends HeapwrightTask {
    @Inject
    public GenerateTask(ProjectLayout layout) {
        super(Goal.GENERATE, layout);
        // Existing tests and the state of a repository are no inputs of the task.
        getOutputs().upToDateWhen(task -> {
            GenerateTask generate = (GenerateTask) task;
            return !generate.getUpdate().get() && !generate.getChangedSince().isPresent();
        });
    }

    /** Folder that tests are written to. Other tests may be there, too. */
    @OutputDirectory
    public abstract DirectoryProperty getOutputDirectory();

    /** Operators of mutants. */
    @Input
    @Optional
    @Option(option = "mutators", description = "Operators of mutants: none, defaults, stronger, all or logic")
    public abstract Property<String> getMutators();

    /** Framework of the tests. */
    @Input
    @Optional
    public abstract Property<String> getJunit();

    /** Name of the invariants, or none. */
    @Input
    @Optional
    public abstract Property<String> getInvariant();

    /** Whether existing tests are run first, and only tests are added that cover or notice more. */
    @Input
    @Option(option = "update", description = "Run existing tests first, and add only tests that add something")
    public abstract Property<Boolean> getUpdate();

    /** Revision of git since which a class has to have changed. */
    @Input
    @Optional
    @Option(option = "changed-since", description = "Test only classes whose sources differ from a revision of git")
    public abstract Property<String> getChangedSince();

    @Override
    Path testOutput() {
        return getOutputDirectory().get().getAsFile().toPath();
    }

    @Override
    void addSettings(Settings settings) {
        settings.set(Setting.MUTATORS, getMutators().getOrNull())
                .set(Setting.JUNIT, getJunit().getOrNull())
                .set(Setting.INVARIANT, getInvariant().getOrNull())
                .setFlag(Setting.UPDATE, getUpdate().get())
                .set(Setting.CHANGED_SINCE, getChangedSince().getOrNull());
    }
}
