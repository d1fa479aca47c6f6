package heapwright.measure;

import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;
import org.testng.annotations.Factory;
import org.testng.annotations.Test;
import org.testng.xml.XmlClass;
import org.testng.xml.XmlInclude;
import org.testng.xml.XmlSuite;
import org.testng.xml.XmlTest;

/** Runs tests by TestNG. */
final class Testng {
    static final String PREFIX = "testng:";

    private Testng() {}

    /** Whether TestNG takes a class for one of tests that it does not run with those of the class around it. */
    static boolean runs(Class<?> type) {
        return hasTests(type) && !(type.isMemberClass() && hasTests(type.getEnclosingClass()));
    }

    private static boolean hasTests(Class<?> type) {
        for (Class<?> above = type; above != null && above != Object.class; above = above.getSuperclass()) {
            if (above.isAnnotationPresent(Test.class)) {
                return true;
            }
            for (Method method : above.getDeclaredMethods()) {
                if (method.isAnnotationPresent(Test.class) || method.isAnnotationPresent(Factory.class)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Whether some tests of a class run only behind others. */
    private static boolean depend(Class<?> type) {
        for (Class<?> above = type; above != null; above = above.getSuperclass()) {
            for (Method method : above.getDeclaredMethods()) {
                Test test = method.getAnnotation(Test.class);
                if (test != null && test.dependsOnMethods().length + test.dependsOnGroups().length > 0) {
                    return true;
                }
            }
        }
        return false;
    }

    static void run(Class<?> type, Units units) {
        TestNG runner = new TestNG(false);
        runner.setVerbose(0);
        if (units.areAll()) {
            runner.setTestClasses(new Class<?>[] {type});
        } else {
            runner.setXmlSuites(suites(type, units));
        }
        add(runner, new Listener(Events.asksForUnits() && !depend(type) ? type.getName() : null));
        runner.run();
    }

    /** What there is to run of some methods of a class. */
    private static List<XmlSuite> suites(Class<?> type, Units units) {
        XmlClass methods = new XmlClass(type);
        if (units.areWanted()) {
            List<XmlInclude> wanted = new ArrayList<>();
            for (String method : units.of(PREFIX)) {
                wanted.add(new XmlInclude(method));
            }
            methods.setIncludedMethods(wanted);
        } else {
            methods.setExcludedMethods(units.of(PREFIX));
        }
        XmlSuite suite = new XmlSuite();
        List<XmlClass> classes = new ArrayList<>();
        classes.add(methods);
        new XmlTest(suite).setXmlClasses(classes);
        List<XmlSuite> suites = new ArrayList<>();
        suites.add(suite);
        return suites;
    }

    /** Adds a listener, by the method that all versions have under one name with a parameter of some type. */
    private static void add(TestNG runner, Listener listener) {
        try {
            runner.getClass().getMethod("addListener", listenerType()).invoke(runner, listener);
        } catch (ReflectiveOperationException failed) {
            throw new IllegalStateException("this version of TestNG is not known", failed);
        }
    }

    private static Class<?> listenerType() {
        for (Method method : TestNG.class.getMethods()) {
            Class<?>[] types = method.getParameterTypes();
            if (method.getName().equals("addListener") && types[0].getName().equals("org.testng.ITestNGListener")) {
                return types[0];
            }
        }
        return Object.class;
    }

    private static final class Listener extends TestListenerAdapter {
        private final Map<String, Integer> rows = new HashMap<>();
        /** The class whose methods are units, if any are. */
        private final String type;
        private boolean isRunning;

        Listener(String type) {
            this.type = type;
        }

        @Override
        public void onTestStart(ITestResult result) {
            isRunning = true;
            if (result.getTestClass().getName().equals(type)) {
                Events.unit(PREFIX + result.getMethod().getMethodName(), true);
            }
            Events.started(nameOf(result));
        }

        @Override
        public void onTestSuccess(ITestResult result) {
            end(result, Events.PASSED);
        }

        @Override
        public void onTestFailedButWithinSuccessPercentage(ITestResult result) {
            end(result, Events.PASSED);
        }

        @Override
        public void onTestFailure(ITestResult result) {
            if (!isRunning) {
                onTestStart(result);
            }
            end(result, Events.FAILED);
        }

        @Override
        public void onTestFailedWithTimeout(ITestResult result) {
            onTestFailure(result);
        }

        @Override
        public void onTestSkipped(ITestResult result) {
            if (isRunning) {
                end(result, Events.ABORTED);
            } else {
                Events.skipped(nameOf(result), Events.text(result.getThrowable()));
            }
        }

        @Override
        public void onConfigurationFailure(ITestResult result) {
            Events.broken(methodOf(result), Events.text(result.getThrowable()));
        }

        private void end(ITestResult result, int outcome) {
            isRunning = false;
            Events.finished(outcome, outcome == Events.PASSED ? "" : Events.text(result.getThrowable()));
        }

        /** The class and the method of a test, with the number of the row where it has parameters. */
        private String nameOf(ITestResult result) {
            String method = methodOf(result);
            Object[] parameters = result.getParameters();
            return parameters == null || parameters.length == 0
                    ? method
                    : method + "[" + rows.merge(method, 1, Integer::sum) + "]";
        }

        private static String methodOf(ITestResult result) {
            return result.getTestClass().getName() + "." + result.getMethod().getMethodName() + "()";
        }
    }
}
