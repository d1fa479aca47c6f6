package heapwright.measure;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.platform.engine.FilterResult;
import org.junit.platform.engine.TestDescriptor;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestSource;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.engine.support.descriptor.MethodSource;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.PostDiscoveryFilter;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherConfig;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs tests by JUnit's platform. */
final class Platform {
    private static final Launcher LAUNCHER = Driver.has("org.junit.platform.launcher.core.LauncherConfig")
            ? Configured.launcher()
            : LauncherFactory.create();

    static final String PREFIX = "platform:";

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

    static void run(Class<?> type, Units units) {
        LauncherDiscoveryRequestBuilder request = LauncherDiscoveryRequestBuilder.request()
                .selectors(DiscoverySelectors.selectClass(type))
                .configurationParameter("junit.jupiter.execution.parallel.enabled", "false");
        if (!units.areAll()) {
            request.filters(new Chosen(units.of(PREFIX), units.areWanted()));
        }
        LAUNCHER.execute(request.build(), Events.asksForUnits() ? new UnitListener(type) : new Listener(type.getName()));
    }

    /** Lets units run, with what is around and in them, or leaves them out. */
    private static final class Chosen implements PostDiscoveryFilter {
        private final List<String> units;
        private final boolean areWanted;

        Chosen(List<String> units, boolean areWanted) {
            this.units = units;
            this.areWanted = areWanted;
        }

        @Override
        public FilterResult apply(TestDescriptor descriptor) {
            String name = descriptor.getUniqueId().toString();
            for (String unit : units) {
                if (isIn(name, unit) || areWanted && isIn(unit, name)) {
                    return FilterResult.includedIf(areWanted);
                }
            }
            return FilterResult.includedIf(!areWanted);
        }

        private static boolean isIn(String inner, String outer) {
            return inner.startsWith(outer) && (inner.length() == outer.length() || inner.charAt(outer.length()) == '/');
        }
    }

    private static class Listener implements TestExecutionListener {
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

    /** Says of which unit each test is: itself or what is around it, if it was known before anything ran. */
    private static final class UnitListener extends Listener {
        private final Set<String> known = new HashSet<>();
        private final boolean runAlone;
        private TestPlan plan;

        UnitListener(Class<?> type) {
            super(type.getName());
            runAlone = !Units.areOrdered(type);
        }

        @Override
        public void testPlanExecutionStarted(TestPlan plan) {
            this.plan = plan;
            for (TestIdentifier root : plan.getRoots()) {
                for (TestIdentifier each : plan.getDescendants(root)) {
                    known.add(each.getUniqueId());
                }
            }
        }

        @Override
        public void executionStarted(TestIdentifier identifier) {
            if (identifier.isTest()) {
                TestIdentifier unit = identifier;
                while (unit != null && !known.contains(unit.getUniqueId())) {
                    unit = plan.getParent(unit).orElse(null);
                }
                if (unit != null && (unit.isTest() || unit.getSource().orElse(null) instanceof MethodSource)) {
                    Events.unit(PREFIX + unit.getUniqueId(), runAlone);
                }
            }
            super.executionStarted(identifier);
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
