package heapwright.trial;

import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.function.Predicate;
import org.junit.After;
import org.junit.Before;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.runners.Parameterized;
import org.testng.annotations.AfterMethod;
import org.testng.annotations.BeforeMethod;

/** Runs the tests of a class: with assertions and in one order, then without them and in the opposite order. */
final class Runner {
    private static final long MOST_MILLISECONDS = 10_000;
    /** As what a process that a test has hung ends. */
    private static final int HUNG = 3;

    private final PrintStream answers;
    private final List<Path> classPath;

    /** A test: what it is called, and what runs it on a new object. */
    private record Test(Method method, int row, Body body) {
        /** The time that JUnit 4 or TestNG gives it, in milliseconds; 0 for any. */
        long timeout() {
            org.junit.Test test = method.getAnnotation(org.junit.Test.class);
            org.testng.annotations.Test other = method.getAnnotation(org.testng.annotations.Test.class);
            return test != null ? test.timeout() : other != null ? other.timeOut() : 0;
        }
    }

    private interface Body {
        void run() throws Throwable;
    }

    Runner(PrintStream answers, List<Path> classPath) {
        this.answers = answers;
        this.classPath = classPath;
    }

    void run(Path classes, String name, int passes) {
        for (int pass = 0; pass < passes; pass++) {
            try (URLClassLoader loader = loader(classes)) {
                loader.setDefaultAssertionStatus(pass == 0);
                Thread.currentThread().setContextClassLoader(loader);
                List<Test> tests = testsOf(Class.forName(name, true, loader));
                if (pass == 1) {
                    Collections.reverse(tests);
                }
                for (Test test : tests) {
                    answers.println("start\t" + pass + "\t" + test.method.getName() + "\t" + test.row);
                    answers.flush();
                    String result = resultOf(test);
                    Notes.take().forEach(answers::println);
                    answers.println(result);
                }
            } catch (Throwable failure) {
                Throwable cause = failure instanceof InvocationTargetException ? failure.getCause() : failure;
                answers.println("start\t" + pass + "\t\t-1");
                answers.println("failed\t0\t" + shown(cause));
            }
        }
    }

    private URLClassLoader loader(Path classes) throws MalformedURLException {
        List<URL> urls = new ArrayList<>(List.of(classes.toUri().toURL()));
        for (Path entry : classPath) {
            urls.add(entry.toUri().toURL());
        }
        return new URLClassLoader(urls.toArray(URL[]::new), Main.class.getClassLoader());
    }

    /** In an order that is the same each time. */
    private static List<Test> testsOf(Class<?> type) throws ReflectiveOperationException {
        Method[] methods = type.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        boolean hasRows = Arrays.stream(methods).anyMatch(method -> method.isAnnotationPresent(Parameterized.Parameters.class));
        List<Test> tests = new ArrayList<>();
        for (Method method : methods) {
            if (method.isAnnotationPresent(Parameterized.Parameters.class)) {
                int row = 0;
                for (Object[] arguments : Rows.given(method)) {
                    for (Method test : methods) {
                        if (test.isAnnotationPresent(org.junit.Test.class)) {
                            tests.add(new Test(test, row++, () -> call(type, arguments, test)));
                        }
                    }
                }
            } else if (Rows.has(method)) {
                int row = 0;
                for (Object[] arguments : Rows.of(method)) {
                    tests.add(new Test(method, row++, () -> call(type, null, method, arguments)));
                }
            } else if (isTest(method) && !hasRows) {
                // With JUnit 4 rows are for all tests of a class.
                tests.add(new Test(method, -1, () -> call(type, null, method)));
            }
        }
        Class<?>[] members = type.getDeclaredClasses();
        Arrays.sort(members, Comparator.comparing(Class::getName));
        for (Class<?> member : members) {
            if (member.isAnnotationPresent(Nested.class)) {
                tests.addAll(testsOf(member));
            }
        }
        return tests;
    }

    private static boolean isTest(Method method) {
        return method.isAnnotationPresent(org.junit.jupiter.api.Test.class)
                || method.isAnnotationPresent(org.junit.Test.class)
                || method.isAnnotationPresent(org.testng.annotations.Test.class);
    }

    private static boolean runsBefore(Method method) {
        return method.isAnnotationPresent(BeforeEach.class)
                || method.isAnnotationPresent(Before.class)
                || method.isAnnotationPresent(BeforeMethod.class);
    }

    private static boolean runsAfter(Method method) {
        return method.isAnnotationPresent(AfterEach.class)
                || method.isAnnotationPresent(After.class)
                || method.isAnnotationPresent(AfterMethod.class);
    }

    private static void call(Class<?> type, Object[] made, Method test, Object... arguments) throws Throwable {
        Deque<Object> objects = new ArrayDeque<>();
        try {
            Object object = prepared(type, made, objects);
            test.setAccessible(true);
            test.invoke(Modifier.isStatic(test.getModifiers()) ? null : object, arguments);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        } finally {
            for (Object object : objects) {
                invokeAll(object, Runner::runsAfter);
            }
        }
    }

    private static void invokeAll(Object object, Predicate<Method> isMeant) throws ReflectiveOperationException {
        for (Method method : object.getClass().getDeclaredMethods()) {
            if (isMeant.test(method)) {
                method.setAccessible(true);
                method.invoke(object);
            }
        }
    }

    /**
     * A new object of a test class, in one of the class around it, after the methods that run before a test. The objects
     * are added, the innermost first.
     */
    private static Object prepared(Class<?> type, Object[] made, Deque<Object> objects) throws ReflectiveOperationException {
        Constructor<?> constructor = type.getDeclaredConstructors()[0];
        constructor.setAccessible(true);
        Object object;
        if (made != null) {
            object = constructor.newInstance(made);
        } else if (type.isAnnotationPresent(Nested.class)) {
            object = constructor.newInstance(prepared(type.getDeclaringClass(), null, objects));
        } else {
            object = constructor.newInstance();
        }
        objects.addFirst(object);
        invokeAll(object, Runner::runsBefore);
        return object;
    }

    private String resultOf(Test test) throws InterruptedException {
        String[] result = new String[1];
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        Thread thread = new Thread(() -> {
            try {
                test.body.run();
                result[0] = "passed";
            } catch (Throwable thrown) {
                result[0] = "failed\t" + lineOf(thrown, test.method.getDeclaringClass().getName()) + "\t" + shown(thrown);
            }
        }, "main");
        thread.setContextClassLoader(loader);
        thread.setDaemon(true);
        thread.start();
        long timeout = test.timeout();
        thread.join(timeout > 0 ? timeout : MOST_MILLISECONDS);
        if (result[0] == null && timeout > 0) {
            return "failed\t0\ttest timed out";
        }
        if (result[0] == null) {
            answers.println("failed\t0\tdoes not end");
            answers.flush();
            Runtime.getRuntime().halt(HUNG);
        }
        return result[0];
    }

    private static int lineOf(Throwable thrown, String testClass) {
        for (StackTraceElement element : thrown.getStackTrace()) {
            if (element.getClassName().equals(testClass)) {
                return element.getLineNumber();
            }
        }
        return 0;
    }

    private static String shown(Throwable thrown) {
        try {
            return Main.line(thrown.toString());
        } catch (Throwable unshown) {
            return thrown.getClass().getName();
        }
    }
}
