package org.heapwright.maven;

import java.util.List;
import org.apache.maven.plugins.annotations.Mojo;
import org.apache.maven.plugins.annotations.Parameter;
import org.apache.maven.plugins.annotations.ResolutionScope;
import org.heapwright.launcher.FailurePolicy;
import org.heapwright.launcher.Goal;
import org.heapwright.launcher.Setting;
import org.heapwright.launcher.Settings;

/** Runs Korat 1.0's command line for a class: the same options, counts and output. */
@Mojo(name = "korat", threadSafe = true, requiresDependencyResolution = ResolutionScope.TEST)
public final class KoratMojo extends AbstractHeapwrightMojo {
    /** The class, by its binary name. */
    @Parameter(property = "heapwright.class", required = true)
    private String className;

    /** Arguments of the finitization method, separated by commas. */
    @Parameter(property = "heapwright.args")
    private String args;

    /** Finitization method. By default <code>fin</code> and the class's name. */
    @Parameter(property = "heapwright.finitization")
    private String finitization;

    /** Predicate. By default <code>repOK</code>. */
    @Parameter(property = "heapwright.predicate")
    private String predicate;

    @Override
    Goal goal() {
        return Goal.KORAT;
    }

    @Override
    List<String> targets() {
        return List.of(className);
    }

    @Override
    void addSettings(Settings settings) {
        settings.set(Setting.FINITIZATION, finitization)
                .set(Setting.FINITIZATION_ARGUMENTS, args)
                .set(Setting.PREDICATE, predicate);
    }

    @Override
    FailurePolicy failurePolicy() {
        return new FailurePolicy(false, false, 0, 0);
    }
}
