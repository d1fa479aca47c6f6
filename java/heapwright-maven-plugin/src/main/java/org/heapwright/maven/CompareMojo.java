package org.heapwright.maven;

import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.heapwright.launcher.Goal;
import org.heapwright.launcher.LauncherException;
import org.heapwright.launcher.Setting;
import org.heapwright.launcher.Settings;

/** Compares the structures that invariants accept with those that public methods build. */
@Mojo(name = "compare", threadSafe = true, requiresDependencyResolution = ResolutionScope.TEST)
public final class CompareMojo extends AbstractClassesMojo {
    /** Bounds of the structures: so many objects of a class, and integers from 0 to one less. */
    @Parameter(property = "heapwright.scope", defaultValue = "3")
    private String scope;

    /**
     * Name of the invariants. By default <code>repOK</code>, <code>repOk</code>, <code>checkRep</code>,
     * <code>invariant</code> or <code>isValid</code>.
     */
    @Parameter(property = "heapwright.invariant")
    private String invariant;

    /** Fails the build if the structures of a class differ. */
    @Parameter(property = "heapwright.failOnCounterexample", defaultValue = "true")
    private boolean failOnCounterexample;

    @Override
    Goal goal() {
        return Goal.COMPARE;
    }

    @Override
    void addSettings(Settings settings) throws LauncherException {
        super.addSettings(settings);
        settings.set(Setting.SCOPE, scope).set(Setting.INVARIANT, invariant);
    }

    @Override
    boolean failsOnCounterexample() {
        return failOnCounterexample;
    }
}
