package org.heapwright.maven;

import java.io.File;
import java.nio.file.Path;
import java.util.List;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.heapwright.launcher.Goal;
import org.heapwright.launcher.LauncherException;
import org.heapwright.launcher.Setting;
import org.heapwright.launcher.Settings;

/** Generates tests that cover the project's classes and notice changes of their code. */
@Mojo(name = "generate", threadSafe = true, requiresDependencyResolution = ResolutionScope.TEST)
public final class GenerateMojo extends AbstractClassesMojo {
    /**
     * Folder that tests are written to. By default that of the project's tests, where they are kept; an
     * edited file is never overwritten. Another folder is added to those of the project's tests.
     */
    @Parameter(property = "heapwright.outputDirectory", defaultValue = "${project.build.testSourceDirectory}")
    private File outputDirectory;

    /**
     * Operators of the mutants that tests have to notice: <code>none</code>, <code>defaults</code>,
     * <code>stronger</code>, <code>all</code> or <code>logic</code>. By default PIT's defaults.
     */
    @Parameter(property = "heapwright.mutators")
    private List<String> mutators;

    /**
     * Framework of the tests: <code>5</code>, <code>4</code> or <code>testng</code>. By default the one on the
     * class path of tests.
     */
    @Parameter(property = "heapwright.junit")
    private String junit;

    /** Runs existing tests first, and adds only tests that cover or notice more. */
    @Parameter(property = "heapwright.update", defaultValue = "false")
    private boolean update;

    /** Tests only classes whose sources differ from this revision of git. */
    @Parameter(property = "heapwright.changedSince")
    private String changedSince;

    /** Boolean method that decides whether an object is well-formed, or <code>none</code>. */
    @Parameter(property = "heapwright.invariant")
    private String invariant;

    /** Fails the build if a failing behaviour is found, as a broken invariant. */
    @Parameter(property = "heapwright.failOnCounterexample", defaultValue = "false")
    private boolean failOnCounterexample;

    @Override
    Goal goal() {
        return Goal.GENERATE;
    }

    @Override
    File testOutput() {
        return outputDirectory;
    }

    @Override
    void prepare() {
        Path output = outputDirectory.toPath().toAbsolutePath().normalize();
        boolean isKnown = project().getTestCompileSourceRoots().stream()
                .anyMatch(root -> Path.of(root).toAbsolutePath().normalize().equals(output));
        if (!isKnown) {
            project().addTestCompileSourceRoot(output.toString());
        }
    }

    @Override
    void addSettings(Settings settings) throws LauncherException {
        super.addSettings(settings);
        settings.setMutators(mutators)
                .set(Setting.JUNIT, junit)
                .setFlag(Setting.UPDATE, update)
                .set(Setting.CHANGED_SINCE, changedSince)
                .set(Setting.INVARIANT, invariant);
    }

    @Override
    boolean runsTests() {
        return update;
    }

    @Override
    boolean failsOnCounterexample() {
        return failOnCounterexample;
    }
}
