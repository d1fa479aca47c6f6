package org.heapwright.launcher;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A goal for a project: its command lines, their runs, and the files with the summaries.
 *
 * <p>The summaries are {@code heapwright-VERB.json} in the folder of reports, or
 * {@code heapwright-VERB-CLASS.json} where each class has a run.
 */
public final class GoalRun {
    /** Prefix of the files in the folder of reports. */
    private static final String PREFIX = "heapwright-";

    private final Goal goal;
    private final Project project;
    private final Settings settings;
    private final Path output;
    private final Path reports;
    private final Log log;
    private final List<Invocation> invocations = new ArrayList<>();

    /**
     * Prepares a run.
     *
     * @param targets patterns of the classes under test; none for all classes of the project
     * @param excluded patterns of classes that are left out
     * @param output folder of generated tests; for other goals null
     * @param reports folder of summaries
     * @param failsWithoutClasses whether a pattern that fits no class is an error
     * @throws LauncherException the project is not compiled, or no class fits the patterns
     */
    public GoalRun(
            Goal goal,
            Project project,
            Settings settings,
            Collection<String> targets,
            Collection<String> excluded,
            Path output,
            Path reports,
            boolean failsWithoutClasses,
            Log log)
            throws LauncherException {
        this.goal = goal;
        this.project = project;
        this.settings = settings;
        this.output = output;
        this.reports = reports;
        this.log = log;
        List<String> classes = classes(targets, excluded, failsWithoutClasses);
        if (goal.isByClass()) {
            classes.forEach(name -> invocations.add(invocation(goal.verb() + "-" + name, List.of(name))));
        } else if (!classes.isEmpty()) {
            invocations.add(invocation(goal.verb(), classes));
        }
    }

    /** Whether there is nothing to run. */
    public boolean isEmpty() {
        return invocations.isEmpty();
    }

    /** Classes under test. */
    private List<String> classes(
            Collection<String> targets, Collection<String> excluded, boolean failsWithoutClasses)
            throws LauncherException {
        CompiledClasses compiled = new CompiledClasses(project.classes());
        if (compiled.isEmpty()) {
            throw new LauncherException("no class in " + compiled.places() + ": compile the project first");
        }
        List<String> selected = compiled.selected(targets, excluded);
        for (String target : failsWithoutClasses ? targets : List.<String>of()) {
            if (compiled.selected(List.of(target), List.of()).isEmpty()) {
                throw new LauncherException("no class in " + compiled.places() + " fits targetClasses " + target
                        + ": * stands for any characters, so that com.acme.* are all classes of the package and of"
                        + " those below it");
            }
        }
        if (selected.isEmpty()) {
            log.info("no class in " + compiled.places() + " is selected: nothing to " + goal.verb());
        }
        String invariant = settings.value(Setting.INVARIANT);
        if (selected.isEmpty() || !goal.needsInvariant() || "none".equals(invariant)) {
            return selected;
        }
        List<String> with = new ArrayList<>();
        for (String name : selected) {
            if (compiled.hasInvariant(name, invariant)) {
                with.add(name);
            }
        }
        if (with.isEmpty()) {
            log.info("nothing to " + goal.verb() + ": none of the " + selected.size() + " classes has an invariant, a"
                    + " boolean method without parameters named "
                    + (invariant != null
                            ? invariant
                            : CompiledClasses.INVARIANTS.stream().sorted().collect(Collectors.joining(", "))));
        }
        return with;
    }

    private Invocation invocation(String name, List<String> classes) {
        List<String> words = new ArrayList<>();
        words.add(goal.verb());
        if (goal != Goal.KORAT) {
            words.add("--json");
        }
        // A project in one language alone has no classes of the others.
        Set<Path> path = new LinkedHashSet<>(project.classes().stream().filter(Files::isDirectory).toList());
        path.addAll(project.libraries());
        if (goal == Goal.MEASURE) {
            path.addAll(project.testClasses());
            path.addAll(project.testLibraries());
            project.testClasses().forEach(folder -> words.add("--tests=" + folder));
            words.add("--working-folder=" + project.folder());
        }
        if (goal == Goal.MEASURE || hasReport()) {
            project.sources().forEach(folder -> words.add("--sources=" + folder));
        }
        if (hasReport()) {
            words.add("--report=" + reports.resolve(name).resolve("report"));
        }
        words.add("--classpath=" + joined(path));
        words.add("--jdk=" + project.jdk());
        classes.forEach(className -> words.add("--class=" + className));
        if (goal == Goal.GENERATE || goal == Goal.CHECK) {
            if (!project.testLibraries().isEmpty()) {
                words.add("--test-classpath=" + joined(project.testLibraries()));
            }
            String framework = settings.isSet(Setting.JUNIT) ? null : TestFramework.option(project, log);
            if (framework != null) {
                words.add(Setting.JUNIT.option() + "=" + framework);
            }
            Path folder = goal == Goal.GENERATE ? output : reports.resolve(name);
            words.add("--output=" + folder);
        }
        if (settings.isSet(Setting.UPDATE) && goal == Goal.GENERATE) {
            project.testClasses().stream().filter(Files::isDirectory).forEach(tests -> words.add("--tests=" + tests));
            words.add("--working-folder=" + project.folder());
        }
        words.addAll(settings.words(goal));
        return new Invocation(name, words);
    }

    /** Whether the goal has reports, and formats of them are set. */
    private boolean hasReport() {
        return settings.isSet(Setting.OUTPUT_FORMATS) && Setting.OUTPUT_FORMATS.goals().contains(goal);
    }

    private static String joined(Collection<Path> entries) {
        return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }

    /**
     * Runs the program, and writes the summaries.
     *
     * @throws LauncherException a request was wrong, or the program has failed
     */
    public List<Result> run(Program program) throws LauncherException {
        removeOldReports();
        List<Result> results = new ArrayList<>();
        for (Invocation invocation : invocations) {
            Path arguments = reports.resolve(PREFIX + invocation.name() + ".args");
            Invocation.Ended ended = invocation.run(program, project.folder(), arguments, log);
            if (!ended.outcome().hasResult()) {
                throw new LauncherException(failure(invocation, ended));
            }
            Summary summary = null;
            if (goal == Goal.KORAT) {
                ended.output().lines().forEach(log::info);
                write(invocation.name() + ".txt", ended.output());
            } else if (ended.outcome() != Outcome.NOTHING || !ended.output().isBlank()) {
                summary = Summary.of(ended.output());
                write(invocation.name() + ".json", ended.output());
            }
            results.add(new Result(invocation.name(), ended.outcome(), summary));
        }
        return results;
    }

    private String failure(Invocation invocation, Invocation.Ended ended) {
        String messages = String.join("\n  ", ended.messages());
        return ended.outcome() == Outcome.FAULT
                ? "heapwright " + invocation.name() + " has failed, which is a fault of its own: " + messages
                : "heapwright " + invocation.name() + ": " + messages;
    }

    /**
     * Results of an earlier run, if nothing has changed since that they depend on; else null. The
     * program may have been another build of the same version then, so its content counts.
     *
     * @throws LauncherException a file cannot be read
     */
    public List<Result> upToDate(Program program) throws LauncherException {
        return stamp(program).read(invocations.stream().map(Invocation::name).toList(), reports, PREFIX);
    }

    /**
     * Notes what results depend on, for {@link #upToDate}.
     *
     * @throws LauncherException a file cannot be read or written
     */
    public void noteResults(Program program, List<Result> results) throws LauncherException {
        stamp(program).write(results);
    }

    private Stamp stamp(Program program) throws LauncherException {
        List<Path> inputs = new ArrayList<>(List.of(program.file(), project.folder().resolve("heapwright.toml")));
        inputs.addAll(project.classes());
        inputs.addAll(project.libraries());
        inputs.addAll(project.testLibraries());
        inputs.addAll(goal == Goal.GENERATE && !settings.isSet(Setting.UPDATE) ? List.of() : project.testClasses());
        if (goal == Goal.MEASURE || hasReport()) {
            inputs.addAll(project.sources());
        }
        // With existing tests, those in the folder of the output count, too.
        Path tests = goal == Goal.GENERATE && settings.isSet(Setting.UPDATE) ? output : null;
        // The state of a repository is no file.
        boolean isKnown = !settings.isSet(Setting.CHANGED_SINCE);
        List<String> words = invocations.stream().flatMap(invocation -> invocation.words().stream()).toList();
        return new Stamp(reports.resolve(PREFIX + goal.verb() + ".stamp"), words, inputs, tests, isKnown);
    }

    /** Removes the summaries of the goal's earlier runs, so that none is taken for a new one. */
    private void removeOldReports() throws LauncherException {
        try {
            Files.createDirectories(reports);
            List<Path> old;
            try (Stream<Path> all = Files.list(reports)) {
                old = all.filter(Files::isRegularFile)
                        .filter(file -> file.getFileName().toString().startsWith(PREFIX + goal.verb()))
                        .toList();
            }
            for (Path file : old) {
                Files.delete(file);
            }
        } catch (IOException | UncheckedIOException e) {
            throw new LauncherException("failed to clear the folder of reports " + reports + ": " + e, e);
        }
    }

    /** Writes a report completely or not at all. */
    private void write(String name, String text) throws LauncherException {
        Path file = reports.resolve(PREFIX + name);
        try {
            Path fresh = Files.createTempFile(reports, "report", ".new");
            Files.writeString(fresh, text, StandardCharsets.UTF_8);
            Files.move(fresh, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new LauncherException("failed to write " + file + ": " + e, e);
        }
    }
}
