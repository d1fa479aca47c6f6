package heapwright.measure;

import java.lang.reflect.Method;
import java.util.HashMap;
import java.util.Map;
import org.testng.ITestResult;
import org.testng.TestListenerAdapter;
import org.testng.TestNG;
import org.testng.annotations.Factory;
import org.testng.annotations.Test;

/** Runs tests by TestNG. */
final class Testng {
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

    static void run(Class<?> type) {
        TestNG runner = new TestNG(false);
        runner.setVerbose(0);
        runner.setTestClasses(new Class<?>[] {type});
        add(runner, new Listener());
        runner.run();
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
        private boolean isRunning;

        @Override
        public void onTestStart(ITestResult result) {
            isRunning = true;
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
