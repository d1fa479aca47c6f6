import static org.junit.platform.engine.discovery.ClassNameFilter.includeClassNamePatterns;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClasspathRoots;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectUniqueId;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherFactory;

/**
 * Runs the tests below a folder one by one, in an order that a seed gives, whatever version of JUnit
 * they are for. Writes a line for each test: {@code pass} or {@code fail}, and its identity.
 */
public final class Order {
    private Order() {
    }

    /** Arguments are the folder of the compiled tests, the seed, and the file to write. */
    public static void main(String[] arguments) throws Exception {
        Launcher launcher = LauncherFactory.create();
        TestPlan plan = launcher.discover(request()
            .selectors(selectClasspathRoots(Set.of(Path.of(arguments[0]))))
            .filters(includeClassNamePatterns(".*"))
            .build());
        List<String> leaves = new ArrayList<>();
        for (TestIdentifier root : plan.getRoots()) {
            for (TestIdentifier found : plan.getDescendants(root)) {
                if (plan.getChildren(found).isEmpty()) {
                    leaves.add(found.getUniqueId());
                }
            }
        }
        Collections.shuffle(leaves, new Random(Long.parseLong(arguments[1])));
        try (PrintStream results = new PrintStream(arguments[2], "UTF-8")) {
            for (String leaf : leaves) {
                run(launcher, leaf, results);
            }
        }
        // Threads that tests have started do not keep the process.
        System.exit(0);
    }

    /** Runs a test, or all invocations of a parameterised one. */
    private static void run(Launcher launcher, String leaf, PrintStream results) {
        boolean[] isReported = new boolean[1];
        launcher.execute(request().selectors(selectUniqueId(leaf)).build(), new TestExecutionListener() {
            @Override
            public void executionFinished(TestIdentifier test, TestExecutionResult result) {
                boolean hasPassed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
                if (test.isTest()) {
                    results.println((hasPassed ? "pass " : "fail ") + test.getUniqueId());
                    isReported[0] = true;
                } else if (!hasPassed && !isReported[0]) {
                    results.println("fail " + leaf);
                    isReported[0] = true;
                }
            }
        });
        results.flush();
    }
}
