package org.heapwright.maven;

import java.io.File;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import javax.inject.Inject;
import org.apache.maven.artifact.Artifact;
import org.apache.maven.artifact.DependencyResolutionRequiredException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.plugin.AbstractMojo;
import org.apache.maven.plugin.MojoExecutionException;
import org.apache.maven.plugin.MojoFailureException;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.project.MavenProject;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.collection.CollectRequest;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;
import org.eclipse.aether.resolution.DependencyRequest;
import org.eclipse.aether.resolution.DependencyResolutionException;
import org.eclipse.aether.util.artifact.JavaScopes;
import org.heapwright.launcher.CompiledClasses;
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

/** What all goals have: the project, the program, and the way from settings to a result. */
abstract class AbstractHeapwrightMojo extends AbstractMojo {
    @Parameter(defaultValue = "${project}", readonly = true, required = true)
    private MavenProject project;

    @Parameter(defaultValue = "${session}", readonly = true, required = true)
    private MavenSession session;

    @Inject
    private ToolchainManager toolchainManager;

    @Inject
    private RepositorySystem repositorySystem;

    /** Skips the goal. */
    @Parameter(property = "heapwright.skip", defaultValue = "false")
    private boolean skip;

    /**
     * The program <code>heapwright</code>. By default it is one on the PATH if it has the version of this
     * plugin, else that of the artifact <code>org.heapwright:heapwright-native</code>.
     */
    @Parameter(property = "heapwright.executable")
    private String executable;

    /** Folder in which the artifact is unpacked, once for each version. */
    @Parameter(property = "heapwright.cacheDirectory", defaultValue = "${user.home}/.heapwright/native")
    private File cacheDirectory;

    /** Stops after this time, as <code>500ms</code>, <code>30s</code> or <code>2m</code>. */
    @Parameter(property = "heapwright.timeLimit")
    private String timeLimit;

    /** Limit of memory, as <code>512m</code> or <code>2g</code>. By default 2g. */
    @Parameter(property = "heapwright.maxMemory")
    private String maxMemory;

    /**
     * Formats of the reports of <code>generate</code>, <code>check</code> and <code>measure</code>: <code>html</code>,
     * <code>sarif</code>, <code>junit</code>, <code>jacoco</code>, <code>cobertura</code>, <code>mutations</code>,
     * <code>markdown</code> or <code>json</code>. They are in <code>heapwright/GOAL/report</code> of the build's folder.
     * By default there are none.
     */
    @Parameter(property = "heapwright.outputFormats")
    private List<String> outputFormats;

    /** Further arguments of the program's command line. */
    @Parameter(property = "heapwright.arguments")
    private List<String> arguments;

    /** Folder of the summaries. */
    @Parameter(property = "heapwright.reportsDirectory", defaultValue = "${project.build.directory}/heapwright")
    private File reportsDirectory;

    /** The goal. */
    abstract Goal goal();

    /** Patterns of the classes under test. */
    abstract List<String> targets();

    /** Patterns of classes that are left out. */
    List<String> excluded() {
        return List.of();
    }

    /** Adds the goal's own settings. */
    abstract void addSettings(Settings settings) throws LauncherException;

    /** Results that fail the build. */
    abstract FailurePolicy failurePolicy();

    /** Folder of generated tests, or null. */
    File testOutput() {
        return null;
    }

    /** Whether the project's tests are run. */
    boolean runsTests() {
        return false;
    }

    /** Whether a pattern that fits no class is an error. */
    boolean failsWithoutClasses() {
        return true;
    }

    @Override
    public void execute() throws MojoExecutionException, MojoFailureException {
        if (skip) {
            getLog().info("Heapwright is skipped");
            return;
        }
        Path classes = Path.of(project.getBuild().getOutputDirectory());
        if (project.getPackaging().equals("pom")) {
            getLog().info("no classes in a project of packaging pom: nothing to do");
            return;
        }
        try {
            if (new CompiledClasses(List.of(classes)).isEmpty() && !hasSources()) {
                getLog().info("the project has no sources: nothing to do");
                return;
            }
            prepare();
            run();
        } catch (LauncherException e) {
            throw new MojoExecutionException(e.getMessage(), e);
        } catch (DependencyResolutionRequiredException e) {
            throw new MojoExecutionException("the project's dependencies are not resolved: " + e.getMessage(), e);
        }
    }

    /** Tells Maven of folders, whether the program runs or not. */
    void prepare() {}

    MavenProject project() {
        return project;
    }

    private void run() throws LauncherException, DependencyResolutionRequiredException, MojoFailureException {
        Log log = new MavenLog(getLog());
        Settings settings = new Settings()
                .set(Setting.TIME_LIMIT, timeLimit)
                .set(Setting.MAX_MEMORY, maxMemory)
                .setOutputFormats(outputFormats);
        addSettings(settings);
        settings.addArguments(arguments);
        Path output = testOutput() == null ? null : testOutput().toPath();
        Path reports = reportsDirectory.toPath();
        GoalRun run = new GoalRun(
                goal(), described(), settings, patterns(targets()), patterns(excluded()), output, reports,
                failsWithoutClasses(), log);
        if (run.isEmpty()) {
            return;
        }
        Program program = Program.find(
                executable, System.getenv("PATH"), this::nativeArtifact, cacheDirectory.toPath(), log);
        List<Result> results = run.upToDate(program);
        if (results != null) {
            log.info("heapwright:" + goal().verb() + " is up to date: nothing has changed since the last run");
        } else {
            results = run.run(program);
            run.noteResults(program, results);
        }
        report(results, log);
        List<String> reasons = failurePolicy().reasons(results);
        if (!reasons.isEmpty()) {
            throw new MojoFailureException(
                    "heapwright:" + goal().verb() + " in " + project.getArtifactId() + ":\n  "
                            + String.join("\n  ", reasons));
        }
    }

    private static void report(List<Result> results, Log log) {
        for (Result result : results) {
            if (result.summary() == null) {
                if (result.outcome() == Outcome.NOTHING) {
                    log.info("nothing to do");
                }
                continue;
            }
            log.info(result.summary().line());
            if (result.outcome() == Outcome.FOUND) {
                result.summary().findings().forEach(log::warn);
            }
            if (result.outcome() == Outcome.PARTIAL) {
                log.warn("the result is partial: " + result.summary().subject());
            }
        }
    }

    /** Patterns, of which a property may hold several, separated by commas. */
    private static List<String> patterns(List<String> given) {
        return given == null ? List.of() : given.stream().filter(pattern -> !pattern.isBlank()).toList();
    }

    private boolean hasSources() {
        return project.getCompileSourceRoots().stream().anyMatch(folder -> Path.of(folder).toFile().isDirectory());
    }

    private Project described() throws DependencyResolutionRequiredException, LauncherException {
        Path classes = Path.of(project.getBuild().getOutputDirectory());
        Path tests = Path.of(project.getBuild().getTestOutputDirectory());
        Set<Path> libraries = new LinkedHashSet<>(paths(project.getCompileClasspathElements()));
        libraries.addAll(paths(project.getRuntimeClasspathElements()));
        libraries.remove(classes);
        Set<Path> testLibraries = new LinkedHashSet<>(paths(project.getTestClasspathElements()));
        testLibraries.addAll(launcherOfTests());
        testLibraries.removeAll(libraries);
        testLibraries.removeAll(Set.of(classes, tests));
        List<Path> sources = paths(project.getCompileSourceRoots());
        return new Project(
                project.getBasedir().toPath(),
                List.of(classes),
                existing(libraries),
                List.of(tests),
                existing(testLibraries),
                existing(sources),
                jdk());
    }

    /**
     * JUnit's launcher and engine, of the version that the project has, if tests are run: projects
     * leave them to those who run the tests, as Surefire does.
     */
    private List<Path> launcherOfTests() throws LauncherException {
        List<Path> all = new ArrayList<>();
        if (runsTests()) {
            addOfSameVersion("org.junit.platform", "junit-platform-commons", "junit-platform-launcher", all);
            addOfSameVersion("org.junit.jupiter", "junit-jupiter-api", "junit-jupiter-engine", all);
        }
        return all;
    }

    private void addOfSameVersion(String group, String present, String wanted, List<Path> all)
            throws LauncherException {
        Optional<Artifact> known = artifact(group, present);
        if (known.isEmpty() || artifact(group, wanted).isPresent()) {
            return;
        }
        String coordinates = group + ":" + wanted + ":" + known.get().getVersion();
        CollectRequest collect = new CollectRequest(
                new Dependency(new DefaultArtifact(coordinates), JavaScopes.RUNTIME),
                project.getRemoteProjectRepositories());
        try {
            repositorySystem
                    .resolveDependencies(session.getRepositorySession(), new DependencyRequest(collect, null))
                    .getArtifactResults()
                    .forEach(result -> all.add(result.getArtifact().getFile().toPath()));
        } catch (DependencyResolutionException e) {
            throw new LauncherException("to run tests, " + coordinates + " is needed: " + e.getMessage(), e);
        }
    }

    private Optional<Artifact> artifact(String group, String name) {
        return project.getArtifacts().stream()
                .filter(artifact -> artifact.getGroupId().equals(group) && artifact.getArtifactId().equals(name))
                .findFirst();
    }

    private static List<Path> paths(List<String> texts) {
        return texts.stream().map(Path::of).toList();
    }

    private static List<Path> existing(Iterable<Path> paths) {
        List<Path> all = new ArrayList<>();
        paths.forEach(path -> {
            if (path.toFile().exists()) {
                all.add(path);
            }
        });
        return all;
    }

    /** The JDK of the toolchain if one is configured, else that of Maven. */
    private Path jdk() {
        Toolchain toolchain = toolchainManager.getToolchainFromBuildContext("jdk", session);
        String javac = toolchain == null ? null : toolchain.findTool("javac");
        return javac == null
                ? Path.of(System.getProperty("java.home"))
                : Path.of(javac).toAbsolutePath().getParent().getParent();
    }

    private Path nativeArtifact(String classifier) throws LauncherException {
        String coordinates = "org.heapwright:heapwright-native:zip:" + classifier + ":" + Program.version();
        ArtifactRequest request = new ArtifactRequest(
                new DefaultArtifact(coordinates), project.getRemotePluginRepositories(), null);
        try {
            return repositorySystem
                    .resolveArtifact(session.getRepositorySession(), request)
                    .getArtifact()
                    .getFile()
                    .toPath();
        } catch (ArtifactResolutionException e) {
            throw new LauncherException(
                    "the program heapwright " + Program.version() + " is not on the PATH, and its artifact "
                            + coordinates + " cannot be resolved: install the program, or name it with"
                            + " -Dheapwright.executable=FILE (" + e.getMessage() + ")",
                    e);
        }
    }
}
