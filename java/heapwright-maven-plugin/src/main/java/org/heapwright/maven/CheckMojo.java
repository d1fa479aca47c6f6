package org.heapwright.maven;

import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.heapwright.launcher.Goal;
import org.heapwright.launcher.LauncherException;
import org.heapwright.launcher.Setting;
import org.heapwright.launcher.Settings;

/**
 * Calls every method of the classes with an invariant on every structure with every argument within
 * bounds, and reports broken invariants, unexpected exceptions and endless calls.
 */
@Mojo(name = "check", threadSafe = true, requiresDependencyResolution = ResolutionScope.TEST)
public final class CheckMojo extends AbstractClassesMojo {
    /** Bounds of the structures: so many objects of a class, and integers from 0 to one less. */
    @Parameter(property = "heapwright.scope", defaultValue = "3")
    private String scope;

    /**
     * Name of the invariants, or <code>none</code>: every structure is well-formed. By default
     * <code>repOK</code>, <code>repOk</code>, <code>checkRep</code>, <code>invariant</code> or
     * <code>isValid</code>.
     */
    @Parameter(property = "heapwright.invariant")
    private String invariant;

    /**
     * Framework of the reproducers: <code>5</code>, <code>4</code> or <code>testng</code>. By default the one on
     * the class path of tests.
     */
    @Parameter(property = "heapwright.junit")
    private String junit;

    /** Fails the build if a counterexample is found. */
    @Parameter(property = "heapwright.failOnCounterexample", defaultValue = "true")
    private boolean failOnCounterexample;

    @Override
    Goal goal() {
        return Goal.CHECK;
    }

    @Override
    void addSettings(Settings settings) throws LauncherException {
        super.addSettings(settings);
        settings.set(Setting.SCOPE, scope).set(Setting.INVARIANT, invariant).set(Setting.JUNIT, junit);
    }

    @Override
    boolean failsOnCounterexample() {
        return failOnCounterexample;
    }
}
