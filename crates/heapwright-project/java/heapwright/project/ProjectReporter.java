package heapwright.project;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.apache.maven.AbstractMavenLifecycleParticipant;
import org.apache.maven.MavenExecutionException;
import org.apache.maven.execution.MavenSession;
import org.apache.maven.model.Plugin;
import org.apache.maven.model.PluginExecution;
import org.apache.maven.project.DefaultDependencyResolutionRequest;
import org.apache.maven.project.DependencyResolutionException;
import org.apache.maven.project.DependencyResolutionResult;
import org.apache.maven.project.MavenProject;
import org.apache.maven.project.ProjectDependenciesResolver;
import org.apache.maven.toolchain.Toolchain;
import org.apache.maven.toolchain.ToolchainManager;
import org.eclipse.aether.RepositorySystem;
import org.eclipse.aether.artifact.Artifact;
import org.eclipse.aether.artifact.DefaultArtifact;
import org.eclipse.aether.graph.Dependency;
import org.eclipse.aether.graph.DependencyNode;
import org.eclipse.aether.resolution.ArtifactRequest;
import org.eclipse.aether.resolution.ArtifactResolutionException;

/**
 * Core extension of Maven that writes what each project of the session is made of to the file of the
 * system property {@code heapwright.project}. It runs when Maven has read the projects, and takes
 * their plugins away, so that the phase that Maven was called with executes none.
 *
 * <p>Each line is a JSON array of a key and a value. The lines of a project begin with its name.
 * Dependencies on other projects of the session are given by their output folders: they need not
 * be packaged.
 */
public final class ProjectReporter extends AbstractMavenLifecycleParticipant {
    private static final String COMPILER = "org.apache.maven.plugins:maven-compiler-plugin";
    private static final String SUREFIRE = "org.apache.maven.plugins:maven-surefire-plugin";
    /** Property of the command line that names the file of the lines. */
    private static final String FILE = "heapwright.project";

    /** Set by Maven's container. */
    private ProjectDependenciesResolver resolver;
    /** Set by Maven's container. */
    private RepositorySystem repositories;
    /** Set by Maven's container. */
    private ToolchainManager toolchains;

    @Override
    public void afterProjectsRead(MavenSession session) throws MavenExecutionException {
        Path file = Path.of(System.getProperty(FILE));
        Map<String, MavenProject> siblings = new HashMap<>();
        for (MavenProject project : session.getProjects()) {
            siblings.put(key(project), project);
        }
        try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            for (MavenProject project : session.getProjects()) {
                report(new Lines(writer), project, siblings, session);
            }
        } catch (IOException | UncheckedIOException error) {
            throw new MavenExecutionException("failed to write " + file, error);
        }
        for (MavenProject project : session.getProjects()) {
            project.getBuild().setPlugins(new ArrayList<>());
            project.getBuild().flushPluginMap();
        }
    }

    private void report(Lines lines, MavenProject project, Map<String, MavenProject> siblings, MavenSession session) {
        lines.add("module", project.getGroupId() + ":" + project.getArtifactId());
        lines.add("folder", project.getBasedir().getPath());
        lines.add("release", release(project));
        addJdk(lines, project, session);
        for (MavenProject each = project; each != null; each = each.getParent()) {
            // Parents from repositories have no file.
            if (each.getFile() != null) {
                lines.add("build_file", each.getFile().getPath());
            }
        }
        addPlugins(lines, project);
        addTestWorld(lines, project, session);
        lines.add("output", project.getBuild().getOutputDirectory());
        lines.add("test_output", project.getBuild().getTestOutputDirectory());
        for (String folder : project.getCompileSourceRoots()) {
            lines.add("source", folder);
        }
        for (String folder : project.getTestCompileSourceRoots()) {
            lines.add("test_source", folder);
        }
        try {
            DefaultDependencyResolutionRequest request =
                new DefaultDependencyResolutionRequest(project, session.getRepositorySession());
            request.setResolutionFilter((node, parents) ->
                node.getDependency() == null || !siblings.containsKey(key(node.getDependency().getArtifact())));
            DependencyResolutionResult result = resolver.resolve(request);
            addAll(lines, result.getDependencyGraph(), siblings);
            addEngine(lines, result.getDependencyGraph(), project, session);
        } catch (DependencyResolutionException error) {
            lines.add("unresolved", error.getMessage());
        }
    }

    /** Adds the plugins of a project, each with its executions: identifier, phase and goals. */
    private static void addPlugins(Lines lines, MavenProject project) {
        for (Plugin plugin : project.getBuild().getPlugins()) {
            String version = plugin.getVersion() == null ? "" : ":" + plugin.getVersion();
            lines.add("plugin", plugin.getGroupId() + ":" + plugin.getArtifactId() + version);
            for (PluginExecution execution : plugin.getExecutions()) {
                String phase = execution.getPhase() == null ? "" : execution.getPhase();
                lines.add("execution", execution.getId() + "\t" + phase + "\t" + String.join("\t", execution.getGoals()));
            }
        }
    }

    /** Adds what Surefire gives the tests beside the class path: folder, system properties, other arguments of the JVM and variables of the environment. */
    private static void addTestWorld(Lines lines, MavenProject project, MavenSession session) {
        lines.add("test_property", "basedir=" + project.getBasedir());
        for (String name : session.getUserProperties().stringPropertyNames()) {
            if (!name.equals(FILE) && !name.equals("maven.ext.class.path")) {
                lines.add("test_property", name + "=" + session.getUserProperties().getProperty(name));
            }
        }
        Object configuration = surefire(project);
        Object[] pairs = (Object[]) call(child(configuration, "systemProperties"), "getChildren");
        for (Object pair : pairs == null ? new Object[0] : pairs) {
            lines.add("test_property", value(child(pair, "name")) + "=" + text(child(pair, "value")));
        }
        addPairs(lines, "test_property", child(configuration, "systemPropertyVariables"));
        String argLine = value(child(configuration, "argLine"));
        for (String word : words(argLine != null ? argLine : "@{argLine}", project)) {
            if (word.startsWith("-D")) {
                lines.add("test_property", word.substring(2));
            } else {
                lines.add("test_argument", word);
            }
        }
        addPairs(lines, "test_variable", child(configuration, "environmentVariables"));
        String folder = value(child(configuration, "workingDirectory"));
        if (folder != null) {
            lines.add("test_folder", project.getBasedir().toPath().resolve(folder).toString());
        }
    }

    /** Configuration of Surefire's run of the tests; null if there is none. */
    private static Object surefire(MavenProject project) {
        Plugin plugin = project.getPlugin(SUREFIRE);
        if (plugin == null) {
            return null;
        }
        for (PluginExecution execution : plugin.getExecutions()) {
            if (execution.getId().equals("default-test") && execution.getConfiguration() != null) {
                return execution.getConfiguration();
            }
        }
        return plugin.getConfiguration();
    }

    private static void addPairs(Lines lines, String key, Object element) {
        Object[] children = (Object[]) call(element, "getChildren");
        for (Object child : children == null ? new Object[0] : children) {
            lines.add(key, call(child, "getName") + "=" + text(child));
        }
    }

    /** Words of a command line. Quotes join words, and {@code @{name}} is a property of the project, as Surefire has it. */
    private static List<String> words(String line, MavenProject project) {
        Matcher property = Pattern.compile("@\\{([^}]+)\\}").matcher(line);
        String whole = property.replaceAll(found ->
            Matcher.quoteReplacement(project.getProperties().getProperty(found.group(1), "")));
        List<String> words = new ArrayList<>();
        Matcher word = Pattern.compile("(?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+").matcher(whole);
        while (word.find()) {
            words.add(word.group().replaceAll("['\"]", ""));
        }
        return words;
    }

    /** Adds the JDK that a project is built with, if it asks for one of the toolchains. */
    private void addJdk(Lines lines, MavenProject project, MavenSession session) {
        Map<String, String> wanted = wantedJdk(project);
        if (wanted.isEmpty()) {
            return;
        }
        for (Toolchain toolchain : toolchains.getToolchains(session, "jdk", wanted)) {
            String java = toolchain.findTool("java");
            if (java != null) {
                lines.add("jdk", Path.of(java).getParent().getParent().toString());
                return;
            }
        }
        List<String> parts = new ArrayList<>();
        wanted.forEach((name, value) -> parts.add(name + " " + value));
        lines.add("no_jdk", String.join(", ", parts));
    }

    /**
     * What the JDK of a project has to be like: what the plugin of toolchains selects, else what the
     * compiler's plugin asks for. Empty if neither says anything.
     */
    private static Map<String, String> wantedJdk(MavenProject project) {
        Plugin selecting = project.getPlugin("org.apache.maven.plugins:maven-toolchains-plugin");
        if (selecting != null) {
            for (PluginExecution execution : selecting.getExecutions()) {
                Object configuration = execution.getConfiguration();
                Map<String, String> wanted = values(child(child(configuration, "toolchains"), "jdk"));
                if (wanted.isEmpty()) {
                    // Of the goal that selects a JDK by itself.
                    wanted = values(configuration);
                    wanted.keySet().retainAll(List.of("version", "vendor"));
                }
                if (!wanted.isEmpty()) {
                    return wanted;
                }
            }
        }
        Plugin compiler = project.getPlugin(COMPILER);
        return values(compiler == null ? null : child(compiler.getConfiguration(), "jdkToolchain"));
    }

    /** Adds the dependencies below a node, those nearer to it first. */
    private static void addAll(Lines lines, DependencyNode node, Map<String, MavenProject> siblings) {
        for (DependencyNode child : node.getChildren()) {
            Dependency dependency = child.getDependency();
            if (dependency != null) {
                boolean isForTests = "test".equals(dependency.getScope());
                String path = path(dependency.getArtifact(), siblings);
                lines.add(isForTests ? "test_entry" : "entry", path);
            }
            addAll(lines, child, siblings);
        }
    }

    /**
     * Adds what runs tests of JUnit's platform where the project leaves that to the plugin that runs
     * them, in the versions that fit. Where it cannot be had, tests can be written, but not run.
     */
    private void addEngine(Lines lines, DependencyNode graph, MavenProject project, MavenSession session) {
        Map<String, String> versions = new HashMap<>();
        collectVersions(graph, versions);
        String platform = versions.get("org.junit.platform:junit-platform-commons");
        String jupiter = versions.get("org.junit.jupiter:junit-jupiter-api");
        Map<String, String> needed = new TreeMap<>();
        if (platform != null) {
            needed.put("org.junit.platform:junit-platform-engine", platform);
            needed.put("org.junit.platform:junit-platform-launcher", platform);
        }
        if (jupiter != null) {
            needed.put("org.junit.jupiter:junit-jupiter-engine", jupiter);
        }
        needed.keySet().removeAll(versions.keySet());
        needed.forEach((name, version) -> {
            String[] parts = name.split(":");
            ArtifactRequest request = new ArtifactRequest(
                new DefaultArtifact(parts[0], parts[1], "jar", version), project.getRemoteProjectRepositories(), null);
            try {
                Artifact found = repositories.resolveArtifact(session.getRepositorySession(), request).getArtifact();
                lines.add("test_entry", found.getFile().getPath());
            } catch (ArtifactResolutionException error) {
                lines.add("no_engine", name + ":" + version);
            }
        });
    }

    private static void collectVersions(DependencyNode node, Map<String, String> versions) {
        for (DependencyNode child : node.getChildren()) {
            Artifact artifact = child.getArtifact();
            versions.put(artifact.getGroupId() + ":" + artifact.getArtifactId(), artifact.getBaseVersion());
            collectVersions(child, versions);
        }
    }

    /** Folder or jar of an artifact; null for an artifact without classes. */
    private static String path(Artifact artifact, Map<String, MavenProject> siblings) {
        MavenProject sibling = siblings.get(key(artifact));
        if (sibling != null) {
            boolean isOfTests = "tests".equals(artifact.getClassifier())
                || "test-jar".equals(artifact.getProperty("type", ""));
            return isOfTests
                ? sibling.getBuild().getTestOutputDirectory()
                : sibling.getBuild().getOutputDirectory();
        }
        File file = artifact.getFile();
        return file == null || "pom".equals(artifact.getExtension()) ? null : file.getPath();
    }

    private static String key(MavenProject project) {
        return project.getGroupId() + ":" + project.getArtifactId() + ":" + project.getVersion();
    }

    private static String key(Artifact artifact) {
        return artifact.getGroupId() + ":" + artifact.getArtifactId() + ":" + artifact.getBaseVersion();
    }

    /** Java release that a project is compiled for, as the compiler's plugin or its properties say. */
    private static String release(MavenProject project) {
        Properties properties = project.getProperties();
        Plugin compiler = project.getPlugin(COMPILER);
        for (String name : List.of("release", "target", "source")) {
            String configured = compiler == null ? null : value(child(compiler.getConfiguration(), name));
            String property = properties.getProperty("maven.compiler." + name);
            if (configured != null || property != null) {
                return configured != null ? configured : property;
            }
        }
        return null;
    }

    /** Element of an element of a plugin's configuration; null if there is none. */
    private static Object child(Object element, String name) {
        return call(element, "getChild", name);
    }

    /** Text of an element of a plugin's configuration; null if there is none. */
    private static String value(Object element) {
        return (String) call(element, "getValue");
    }

    /** Text of an element of a plugin's configuration; empty if it has none. */
    private static String text(Object element) {
        String value = value(element);
        return value == null ? "" : value;
    }

    /** Texts of the elements of an element of a plugin's configuration, by name. */
    private static Map<String, String> values(Object element) {
        Map<String, String> values = new TreeMap<>();
        Object[] children = (Object[]) call(element, "getChildren");
        for (Object child : children == null ? new Object[0] : children) {
            String value = value(child);
            if (value != null) {
                values.put((String) call(child, "getName"), value);
            }
        }
        return values;
    }

    /**
     * Calls a method of an element of a plugin's configuration. The class of elements differs between
     * versions of Maven, but not its methods.
     */
    private static Object call(Object element, String method, String... arguments) {
        if (element == null) {
            return null;
        }
        try {
            Class<?>[] types = new Class<?>[arguments.length];
            Arrays.fill(types, String.class);
            return element.getClass().getMethod(method, types).invoke(element, (Object[]) arguments);
        } catch (ReflectiveOperationException error) {
            return null;
        }
    }

    /** Lines of the file. */
    private record Lines(Writer writer) {
        void add(String key, String value) {
            if (value == null) {
                return;
            }
            StringBuilder line = new StringBuilder("[\"").append(key).append("\",\"");
            for (char each : value.toCharArray()) {
                if (each < ' ' || each == '"' || each == '\\') {
                    line.append(String.format("\\u%04x", (int) each));
                } else {
                    line.append(each);
                }
            }
            try {
                writer.write(line.append("\"]\n").toString());
            } catch (IOException error) {
                throw new UncheckedIOException(error);
            }
        }
    }
}
