package org.heapwright.gradle;

import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.gradle.api.Plugin;
import org.gradle.api.Project;
import org.gradle.api.artifacts.Configuration;
import org.gradle.api.artifacts.ConfigurationContainer;
import org.gradle.api.attributes.Usage;
import org.gradle.api.file.FileCollection;
import org.gradle.api.file.ProjectLayout;
import org.gradle.api.plugins.JavaPlugin;
import org.gradle.api.plugins.JavaPluginExtension;
import org.gradle.api.provider.ProviderFactory;
import org.gradle.api.tasks.SourceSet;
import org.gradle.api.tasks.SourceTask;
import org.gradle.api.tasks.TaskContainer;
import org.gradle.jvm.toolchain.JavaToolchainService;
import org.heapwright.launcher.Platform;
import org.heapwright.launcher.Program;

/** Adds the extension {@code heapwright} and a task for each goal to a project with Java's plugin. */
public abstract class HeapwrightPlugin implements Plugin<Project> {
    private static final String GROUP = "heapwright";

    @Override
    public void apply(Project project) {
        HeapwrightExtension extension = project.getExtensions().create("heapwright", HeapwrightExtension.class);
        ProjectLayout layout = project.getLayout();
        extension.getFailIfNoClasses().convention(true);
        extension.getFailOnPartial().convention(false);
        extension.getScope().convention(3);
        extension.getReportsDirectory().convention(layout.getBuildDirectory().dir("reports/heapwright"));
        extension.getOutputDirectory().convention(layout.getProjectDirectory().dir("src/test/java"));
        ProviderFactory providers = project.getProviders();
        extension.getCacheDirectory().convention(layout.dir(providers
                .systemProperty("user.home")
                .map(home -> new java.io.File(home, ".heapwright/native"))));
        project.getPlugins().withType(JavaPlugin.class, plugin -> addTasks(project, extension));
    }

    private static void addTasks(Project project, HeapwrightExtension extension) {
        JavaPluginExtension java = project.getExtensions().getByType(JavaPluginExtension.class);
        SourceSet main = java.getSourceSets().getByName(SourceSet.MAIN_SOURCE_SET_NAME);
        SourceSet test = java.getSourceSets().getByName(SourceSet.TEST_SOURCE_SET_NAME);
        test.getJava().srcDir(extension.getOutputDirectory());
        FileCollection nativeArtifact = lenient(nativeArtifact(project));
        FileCollection testRuntime = lenient(testRuntime(project, test));
        // Not the class paths of the source sets, for which tests have to be compiled.
        ConfigurationContainer configurations = project.getConfigurations();
        Configuration runtime = configurations.getByName(main.getRuntimeClasspathConfigurationName());
        Configuration testLibraries = configurations.getByName(test.getRuntimeClasspathConfigurationName());
        TaskContainer tasks = project.getTasks();
        JavaToolchainService toolchains = project.getExtensions().getByType(JavaToolchainService.class);
        tasks.withType(HeapwrightTask.class).configureEach(task -> {
            task.setGroup(GROUP);
            task.getClasses().from(main.getOutput().getClassesDirs());
            task.getLibraries().from(main.getCompileClasspath(), runtime);
            task.getLibraries().from(tasks.named(main.getProcessResourcesTaskName()));
            task.getTestLibraries().from(testLibraries);
            task.getSources().from(main.getAllSource().getSourceDirectories());
            task.getSettingsFile().from(project.getLayout().getProjectDirectory().file("heapwright.toml"));
            task.getJavaLauncher().convention(toolchains.launcherFor(java.getToolchain()));
            task.getExecutable().convention(extension.getExecutable());
            task.getNativeArtifact().from(nativeArtifact);
            task.getSearchPath().convention(project.getProviders().environmentVariable("PATH"));
            task.getCacheDirectory().convention(extension.getCacheDirectory());
            task.getTargetClasses().convention(extension.getTargetClasses());
            task.getExcludedClasses().convention(extension.getExcludedClasses());
            task.getFailIfNoClasses().convention(extension.getFailIfNoClasses());
            task.getTimeLimit().convention(extension.getTimeLimit());
            task.getMaxMemory().convention(extension.getMaxMemory());
            task.getThreads().convention(extension.getThreads());
            task.getOutputFormats().convention(extension.getOutputFormats());
            task.getFailOnPartial().convention(extension.getFailOnPartial());
            task.getFailOnCounterexample().convention(true);
            task.getReportsDirectory().convention(extension.getReportsDirectory().dir(task.getName()));
        });
        var generate = tasks.register("heapwrightGenerate", GenerateTask.class, task -> {
            task.setDescription("Generates tests for the classes of the project.");
            task.getOutputDirectory().convention(extension.getOutputDirectory());
            task.getMutators().convention(extension.getMutators());
            task.getJunit().convention(extension.getJunit());
            task.getInvariant().convention(extension.getInvariant());
            task.getUpdate().convention(false);
            task.getFailOnCounterexample().convention(false);
        });
        // Whatever reads sources of tests sees those that are generated in the same build.
        Set<String> readers = Stream.of("java", "kotlin", "groovy", "scala")
                .map(test::getCompileTaskName)
                .collect(Collectors.toSet());
        tasks.configureEach(task -> {
            boolean isOfTests = task instanceof SourceTask && task.getName().endsWith("Test");
            if (isOfTests || readers.contains(task.getName())) {
                task.mustRunAfter(generate);
            }
        });
        tasks.register("heapwrightCheck", CheckTask.class, task -> {
            task.setDescription("Holds all methods of classes with an invariant to it, on all structures in bounds.");
            task.getScope().convention(extension.getScope());
            task.getInvariant().convention(extension.getInvariant());
            task.getJunit().convention(extension.getJunit());
        });
        tasks.register("heapwrightMeasure", MeasureTask.class, task -> {
            task.setDescription("Measures coverage and mutation score of the tests of the project.");
            task.getTestClasses().from(test.getOutput().getClassesDirs());
            task.getTestLibraries().from(tasks.named(test.getProcessResourcesTaskName()), testRuntime);
            task.getMutators().convention(extension.getMutators());
            task.getMutationThreshold().convention(0);
            task.getCoverageThreshold().convention(0);
        });
        tasks.register("heapwrightCompare", CompareTask.class, task -> {
            task.setDescription("Compares structures that invariants accept with those that public methods build.");
            task.getScope().convention(extension.getScope());
            task.getInvariant().convention(extension.getInvariant());
        });
        tasks.register("heapwrightKorat", KoratTask.class, task ->
                task.setDescription("Runs Korat's command line for the classes that --classes names."));
    }

    /** The artifact with the program for this machine. */
    private static Configuration nativeArtifact(Project project) {
        Configuration configuration = project.getConfigurations().create("heapwrightNative", created -> {
            created.setDescription("The native program of Heapwright.");
            created.setCanBeConsumed(false);
            created.setVisible(false);
        });
        project.getDependencies().add(
                configuration.getName(),
                Map.of(
                        "group", "org.heapwright",
                        "name", "heapwright-native",
                        "version", Program.version(),
                        "classifier", Platform.classifier(),
                        "ext", "zip"));
        return configuration;
    }

    /**
     * What tests need to run, with JUnit's launcher, of the version that JUnit itself asks for: projects
     * leave it to Gradle.
     */
    private static Configuration testRuntime(Project project, SourceSet test) {
        ConfigurationContainer configurations = project.getConfigurations();
        Configuration configuration = configurations.create("heapwrightTestRuntime", created -> {
            created.setDescription("What tests of the project need when Heapwright runs them.");
            created.setCanBeConsumed(false);
            created.setVisible(false);
            created.extendsFrom(
                    configurations.getByName(test.getImplementationConfigurationName()),
                    configurations.getByName(test.getRuntimeOnlyConfigurationName()));
            created.getAttributes().attribute(
                    Usage.USAGE_ATTRIBUTE, project.getObjects().named(Usage.class, Usage.JAVA_RUNTIME));
        });
        project.getDependencies().add(configuration.getName(), "org.junit.platform:junit-platform-launcher");
        return configuration;
    }

    /** Files of a configuration, without those that cannot be had. */
    private static FileCollection lenient(Configuration configuration) {
        return configuration.getIncoming().artifactView(view -> view.lenient(true)).getFiles();
    }
}
