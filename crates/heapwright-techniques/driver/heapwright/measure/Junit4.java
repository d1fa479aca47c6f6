package heapwright.measure;

import java.lang.reflect.Method;
import java.util.List;
import org.junit.Ignore;
import org.junit.Test;
import org.junit.runner.Description;
import org.junit.runner.Request;
import org.junit.runner.RunWith;
import org.junit.runner.Runner;
import org.junit.runner.manipulation.Filter;
import org.junit.runner.manipulation.Filterable;
import org.junit.runner.manipulation.NoTestsRemainException;
import org.junit.runner.notification.Failure;
import org.junit.runner.notification.RunListener;
import org.junit.runner.notification.RunNotifier;

/** Runs tests by JUnit 4, those of JUnit 3 included. */
final class Junit4 {
    static final String PREFIX = "junit4:";

    private Junit4() {}

    /** Whether JUnit 4 takes a class for one of tests. */
    static boolean hasTests(Class<?> type) {
        if (type.isAnnotationPresent(RunWith.class)) {
            return true;
        }
        for (Class<?> above = type; above != null && above != Object.class; above = above.getSuperclass()) {
            if (above.getName().equals("junit.framework.TestCase")) {
                return true;
            }
            for (Method method : above.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class)) {
                    return true;
                }
            }
        }
        return false;
    }

    static void run(Class<?> type, Units units) {
        RunNotifier notifier = new RunNotifier();
        notifier.addListener(new Listener(Events.asksForUnits(), Events.asksForUnits() && !Units.areOrdered(type)));
        Runner runner = Request.aClass(type).getRunner();
        if (!units.areAll() && runner instanceof Filterable) {
            try {
                ((Filterable) runner).filter(new Chosen(units.of(PREFIX), units.areWanted()));
            } catch (NoTestsRemainException none) {
                return;
            }
        }
        runner.run(notifier);
    }

    /** Lets units run, or leaves them out. */
    private static final class Chosen extends Filter {
        private final List<String> units;
        private final boolean areWanted;

        Chosen(List<String> units, boolean areWanted) {
            this.units = units;
            this.areWanted = areWanted;
        }

        @Override
        public boolean shouldRun(Description description) {
            if (description.isTest()) {
                return units.contains(description.getDisplayName()) == areWanted;
            }
            for (Description child : description.getChildren()) {
                if (shouldRun(child)) {
                    return true;
                }
            }
            return false;
        }

        @Override
        public String describe() {
            return "some units";
        }
    }

    private static final class Listener extends RunListener {
        private final boolean hasUnits;
        private final boolean runAlone;
        private boolean isRunning;
        private int outcome;
        private String reason = "";

        Listener(boolean hasUnits, boolean runAlone) {
            this.hasUnits = hasUnits;
            this.runAlone = runAlone;
        }

        @Override
        public void testStarted(Description description) {
            isRunning = true;
            outcome = Events.PASSED;
            reason = "";
            if (hasUnits) {
                Events.unit(PREFIX + description.getDisplayName(), runAlone);
            }
            Events.started(nameOf(description));
        }

        @Override
        public void testFinished(Description description) {
            isRunning = false;
            Events.finished(outcome, reason);
        }

        @Override
        public void testFailure(Failure failure) {
            String text = Events.text(failure.getException());
            if (!isRunning) {
                Events.broken(nameOf(failure.getDescription()), text);
            } else if (outcome != Events.FAILED) {
                outcome = Events.FAILED;
                reason = text;
            }
        }

        @Override
        public void testAssumptionFailure(Failure failure) {
            String text = Events.text(failure.getException());
            if (!isRunning) {
                Events.skipped(nameOf(failure.getDescription()), text);
            } else if (outcome == Events.PASSED) {
                outcome = Events.ABORTED;
                reason = text;
            }
        }

        @Override
        public void testIgnored(Description description) {
            Ignore ignore = description.getAnnotation(Ignore.class);
            Events.skipped(nameOf(description), ignore == null ? "" : ignore.value());
        }
    }

    /** The class and the method, which a text such as {@code pops(shop.StackTest)} names. */
    private static String nameOf(Description description) {
        String text = description.getDisplayName();
        int start = text.lastIndexOf('(');
        return start < 0 || !text.endsWith(")")
                ? text
                : text.substring(start + 1, text.length() - 1) + "." + text.substring(0, start);
    }
}
