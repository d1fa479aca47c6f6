package heapwright.measure;

import java.util.Optional;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests by JUnit's platform. */
final class Platform {
    private static final Launcher LAUNCHER = Driver.has("org.junit.platform.launcher.core.LauncherConfig")
            ? Configured.launcher()
            : LauncherFactory.create();

    private static final String QUOTED = "\n    Cause: ";

    private Platform() {}

    /** Launcher without the listeners of the class path, which versions before 1.3 always have. */
    private static final class Configured {
        static Launcher launcher() {
            return LauncherFactory.create(LauncherConfig.builder()
                    .enableTestExecutionListenerAutoRegistration(false)
                    .build());
        }
    }

    static void run(Class<?> type) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(type))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
                .build();
        LAUNCHER.execute(request, new Listener(type.getName()));
    }

    private static final class Listener implements TestExecutionListener {
        private final String type;

        Listener(String type) {
            this.type = type;
        }

        @Override
        public void executionSkipped(TestIdentifier identifier, String reason) {
            Events.skipped(nameOf(identifier), reason);
        }

        @Override
        public void executionStarted(TestIdentifier identifier) {
            if (identifier.isTest()) {
                Events.started(nameOf(identifier));
            }
        }

        @Override
        public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
            int outcome = result.getStatus().ordinal();
            String reason = outcome == Events.PASSED ? "" : Events.text(result.getThrowable().orElse(null));
            if (identifier.isTest()) {
                Events.finished(outcome, reason);
            } else if (outcome == Events.FAILED) {
                // Engines have no source.
                boolean hasSource = identifier.getSource().isPresent();
                Events.broken(hasSource ? nameOf(identifier) : type, causeIn(reason));
            } else if (outcome == Events.ABORTED) {
                Events.skipped(nameOf(identifier), reason);
            }
        }
    }

    /** The exception for which no tests are found, as a library is missing: it is quoted in a longer text. */
    private static String causeIn(String reason) {
        int start = reason.indexOf(QUOTED);
        int end = reason.indexOf('\n', start + QUOTED.length());
        return start < 0 || end < 0 ? reason : reason.substring(start + QUOTED.length(), end);
    }

    /** The class and the method of a test, with the number of the row where it has several. */
    private static String nameOf(TestIdentifier identifier) {
        Optional<TestSource> source = identifier.getSource();
        TestSource place = source.orElse(null);
        String reported = identifier.getLegacyReportingName();
        if (place instanceof MethodSource) {
            return ((MethodSource) place).getClassName() + "." + reported;
        }
        if (place instanceof ClassSource) {
            return ((ClassSource) place).getClassName();
        }
        return reported;
    }
}
