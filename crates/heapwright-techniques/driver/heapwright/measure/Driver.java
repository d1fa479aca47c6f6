package heapwright.measure;

import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Modifier;
import java.util.List;

/**
 * Runs the tests of one class by the frameworks on the class path: JUnit's platform with all its engines, and JUnit 4 and TestNG
 * where no engine runs their tests.
 */
public final class Driver {
    private static final ClassLoader LOADER = Driver.class.getClassLoader();
    private static final boolean HAS_PLATFORM = has("org.junit.platform.launcher.Launcher");
    private static final boolean HAS_JUNIT4 =
            has("org.junit.runner.Request") && !(HAS_PLATFORM && has("org.junit.vintage.engine.VintageTestEngine"));
    private static final boolean HAS_TESTNG =
            has("org.testng.TestNG") && !(HAS_PLATFORM && has("org.junit.support.testng.engine.TestNGTestEngine"));

    private Driver() {}

    /** Loads and initialises what the tests of all classes need. What frameworks print then concerns nobody. */
    public static void prepare() {
        PrintStream output = System.out;
        PrintStream errors = System.err;
        PrintStream nowhere = new PrintStream(OutputStream.nullOutputStream());
        System.setOut(nowhere);
        System.setErr(nowhere);
        try {
            runSamples();
        } finally {
            System.setOut(output);
            System.setErr(errors);
        }
    }

    private static void runSamples() {
        if (HAS_JUNIT4) {
            Junit4.run(Sample.OfJunit4.class, Units.ALL);
        }
        if (HAS_TESTNG) {
            Testng.run(Sample.OfTestng.class, Units.ALL);
        }
        if (HAS_PLATFORM) {
            Platform.run(Sample.OfJunit5.class, Units.ALL);
        }
    }

    /** Runs the tests of the class with this binary name. */
    public static void run(String name) {
        run(name, Units.ALL);
    }

    /** Runs those of some units, see {@link Units#of}. */
    public static void run(String name, List<String> selection) {
        run(name, Units.of(selection));
    }

    private static void run(String name, Units units) {
        Class<?> type;
        try {
            type = Class.forName(name, false, LOADER);
            if (type.isInterface() || Modifier.isAbstract(type.getModifiers()) || type.isAnonymousClass()
                    || type.isLocalClass() || isInner(type)) {
                return;
            }
        } catch (ClassNotFoundException | LinkageError missing) {
            Events.broken(name, Events.text(missing));
            return;
        }
        try {
            if (HAS_JUNIT4 && units.concern(Junit4.PREFIX) && Junit4.hasTests(type)) {
                Junit4.run(type, units);
            }
            if (HAS_TESTNG && units.concern(Testng.PREFIX) && Testng.runs(type)) {
                Testng.run(type, units);
            }
            if (HAS_PLATFORM && units.concern(Platform.PREFIX)) {
                Platform.run(type, units);
            }
        } catch (LinkageError | RuntimeException failed) {
            Events.broken(name, causeOf(failed));
        }
    }

    /** What a search for tests throws, such as a library that is missing; older platforms wrap it. */
    private static String causeOf(Throwable failed) {
        Throwable cause = failed;
        while (cause.getCause() != null && cause.getCause() != cause) {
            cause = cause.getCause();
        }
        return Events.text(cause);
    }

    /** Whether only tests of the outer class make its objects. */
    private static boolean isInner(Class<?> type) {
        return type.isMemberClass() && !Modifier.isStatic(type.getModifiers());
    }

    /** Whether the class path has a class. */
    static boolean has(String name) {
        try {
            Class.forName(name, false, LOADER);
            return true;
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }
}
