package org.heapwright.gradle;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.StreamSupport;
import org.gradle.api.DefaultTask;
import org.gradle.api.GradleException;
import org.gradle.api.file.ConfigurableFileCollection;
import org.gradle.api.file.DirectoryProperty;
import org.gradle.api.file.FileCollection;
import org.gradle.api.file.ProjectLayout;
import org.gradle.api.file.RegularFileProperty;
import org.gradle.api.provider.ListProperty;
import org.gradle.api.provider.Property;
import org.gradle.api.tasks.Classpath;
import org.gradle.api.tasks.IgnoreEmptyDirectories;
import org.gradle.api.tasks.Input;
import org.gradle.api.tasks.InputFile;
import org.gradle.api.tasks.InputFiles;
import org.gradle.api.tasks.Internal;
import org.gradle.api.tasks.Nested;
import org.gradle.api.tasks.Optional;
import org.gradle.api.tasks.OutputDirectory;
import org.gradle.api.tasks.PathSensitive;
import org.gradle.api.tasks.PathSensitivity;
import org.gradle.api.tasks.TaskAction;
import org.gradle.api.tasks.VerificationException;
import org.gradle.api.tasks.options.Option;
import org.gradle.jvm.toolchain.JavaLauncher;
import org.gradle.work.DisableCachingByDefault;
import org.heapwright.launcher.FailurePolicy;
import org.heapwright.launcher.Goal;
import org.heapwright.launcher.GoalRun;
import org.heapwright.launcher.LauncherException;
import org.heapwright.launcher.Log;
import org.heapwright.launcher.Outcome;
import org.heapwright.launcher.Program;
import org.heapwright.launcher.Project;
import org.heapwright.launcher.Result;
import org.heapwright.launcher.Setting;
import org.heapwright.launcher.Settings;

/** What all tasks have: the project, the program, and the way from settings to a result. */
@DisableCachingByDefault(because = "Each kind of task decides")
public abstract class HeapwrightTask extends DefaultTask {
    private final Goal goal;
    private final Path folder;

    HeapwrightTask(Goal goal, ProjectLayout layout) {
        this.goal = goal;
        this.folder = layout.getProjectDirectory().getAsFile().toPath();
    }

    /** Compiled classes of the project. */
    @Classpath
    public abstract ConfigurableFileCollection getClasses();

    /** What the classes need. */
    @Classpath
    public abstract ConfigurableFileCollection getLibraries();

    /** Compiled tests of the project, where they are run. */
    @Classpath
    public abstract ConfigurableFileCollection getTestClasses();

    /** What only tests need. */
    @Classpath
    public abstract ConfigurableFileCollection getTestLibraries();

    /** Sources of the classes, whose lines are shown with mutants. */
    @InputFiles
    @IgnoreEmptyDirectories
    @PathSensitive(PathSensitivity.RELATIVE)
    public abstract ConfigurableFileCollection getSources();

    /** Settings file of the project, if there is one. */
    @InputFiles
    @PathSensitive(PathSensitivity.NONE)
    public abstract ConfigurableFileCollection getSettingsFile();

    /** JDK whose library is run. */
    @Nested
    public abstract Property<JavaLauncher> getJavaLauncher();

    /** The program. */
    @InputFile
    @Optional
    @PathSensitive(PathSensitivity.NONE)
    public abstract RegularFileProperty getExecutable();

    /** Version of the program. */
    @Input
    public String getProgramVersion() {
        return Program.version();
    }

    /** Artifact with the program, empty if it cannot be had. */
    @Internal
    public abstract ConfigurableFileCollection getNativeArtifact();

    /** Folders in which an installed program is looked for. */
    @Internal
    public abstract Property<String> getSearchPath();

    /** Folder in which the artifact is unpacked. */
    @Internal
    public abstract DirectoryProperty getCacheDirectory();

    /** Classes under test, by patterns. */
    @Input
    @Option(option = "classes", description = "Classes under test, by patterns as com.acme.*")
    public abstract ListProperty<String> getTargetClasses();

    /** Classes that are left out, by patterns. */
    @Input
    public abstract ListProperty<String> getExcludedClasses();

    /** Whether a pattern that fits no class is an error. */
    @Input
    public abstract Property<Boolean> getFailIfNoClasses();

    /** Time limit. */
    @Input
    @Optional
    @Option(option = "time-limit", description = "Stop after this time, as 30s or 2m")
    public abstract Property<String> getTimeLimit();

    /** Limit of memory. */
    @Input
    @Optional
    public abstract Property<String> getMaxMemory();

    /** Number of workers, on which no result depends. */
    @Internal
    public abstract Property<Integer> getThreads();

    /** Formats of the reports, if there are to be some. */
    @Input
    public abstract ListProperty<String> getOutputFormats();

    /** Further arguments of the command line. */
    @Input
    public abstract ListProperty<String> getArguments();

    /** Whether a counterexample, a failing behaviour, a failing test or a difference is a failure. */
    @Input
    public abstract Property<Boolean> getFailOnCounterexample();

    /** Whether a partial result is a failure. */
    @Input
    public abstract Property<Boolean> getFailOnPartial();

    /** Folder of the summaries. */
    @OutputDirectory
    public abstract DirectoryProperty getReportsDirectory();

    /** Adds the task's own settings. */
    abstract void addSettings(Settings settings) throws LauncherException;

    /** Folder of generated tests, or null. */
    Path testOutput() {
        return null;
    }

    /** Results that are a failure. */
    FailurePolicy failurePolicy() {
        return new FailurePolicy(getFailOnCounterexample().get(), getFailOnPartial().get(), 0, 0);
    }

    /** Runs the program. */
    @TaskAction
    public void run() {
        try {
            runGoal();
        } catch (LauncherException e) {
            throw new GradleException(e.getMessage(), e);
        }
    }

    private void runGoal() throws LauncherException {
        Log log = new GradleLog(getLogger());
        if (getClasses().getAsFileTree().isEmpty() && getSources().getAsFileTree().isEmpty()) {
            log.info("the project has no sources: nothing to do");
            return;
        }
        Settings settings = new Settings()
                .set(Setting.TIME_LIMIT, getTimeLimit().getOrNull())
                .set(Setting.MAX_MEMORY, getMaxMemory().getOrNull())
                .set(Setting.THREADS, getThreads().getOrNull())
                .setOutputFormats(getOutputFormats().get());
        addSettings(settings);
        settings.addArguments(getArguments().get());
        Path reports = getReportsDirectory().get().getAsFile().toPath();
        GoalRun run = new GoalRun(
                goal,
                described(),
                settings,
                getTargetClasses().get(),
                getExcludedClasses().get(),
                testOutput(),
                reports,
                getFailIfNoClasses().get(),
                log);
        if (run.isEmpty()) {
            return;
        }
        File named = getExecutable().getAsFile().getOrNull();
        Path cache = getCacheDirectory().get().getAsFile().toPath();
        Program program = Program.find(
                named == null ? null : named.getPath(), getSearchPath().getOrNull(), this::nativeArtifact, cache, log);
        List<Result> results = run.run(program);
        for (Result result : results) {
            if (result.summary() != null) {
                log.info(result.summary().line());
            } else if (result.outcome() == Outcome.NOTHING) {
                log.info("nothing to do");
            }
            if (result.summary() != null && result.outcome() == Outcome.FOUND) {
                result.summary().findings().forEach(log::warn);
            }
            if (result.summary() != null && result.outcome() == Outcome.PARTIAL) {
                log.warn("the result is partial: " + result.summary().subject());
            }
        }
        List<String> reasons = failurePolicy().reasons(results);
        if (!reasons.isEmpty()) {
            throw new VerificationException("heapwright " + goal.verb() + ":\n  " + String.join("\n  ", reasons));
        }
    }

    private Project described() {
        List<Path> libraries = existing(getLibraries());
        List<Path> classes = paths(getClasses());
        List<Path> tests = existing(getTestClasses());
        List<Path> testLibraries = existing(getTestLibraries()).stream()
                .filter(path -> !libraries.contains(path) && !classes.contains(path) && !tests.contains(path))
                .toList();
        Path jdk = getJavaLauncher().get().getMetadata().getInstallationPath().getAsFile().toPath();
        return new Project(folder, classes, libraries, tests, testLibraries, existing(getSources()), jdk);
    }

    private static List<Path> paths(FileCollection files) {
        return StreamSupport.stream(files.spliterator(), false).map(File::toPath).toList();
    }

    private static List<Path> existing(FileCollection files) {
        return paths(files).stream().filter(path -> path.toFile().exists()).toList();
    }

    private Path nativeArtifact(String classifier) throws LauncherException {
        List<Path> files = paths(getNativeArtifact());
        if (files.isEmpty()) {
            throw new LauncherException("the program heapwright " + Program.version() + " is not on the PATH, and its"
                    + " artifact org.heapwright:heapwright-native:" + Program.version() + ":" + classifier
                    + "@zip is in no repository of the project: install the program, or set heapwright.executable");
        }
        return files.get(0);
    }
}
