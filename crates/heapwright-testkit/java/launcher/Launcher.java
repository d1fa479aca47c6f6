import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import org.junit.platform.console.ConsoleLauncher;

/**
 * Runs tests on request: a line has the arguments of JUnit's launcher, the answer what it and the tests print, and a
 * line with its status, behind which stands "last" if the process ends. Classes of the class path that the arguments
 * name are loaded anew for each request.
 */
public final class Launcher {
    private Launcher() {}

    public static void main(String[] arguments) throws IOException {
        PrintStream answers = System.out;
        PrintStream errors = System.err;
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        // What tests read is no request.
        System.setIn(InputStream.nullInputStream());
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            ByteArrayOutputStream printed = new ByteArrayOutputStream();
            PrintStream both = new PrintStream(printed, true, StandardCharsets.UTF_8);
            System.setOut(both);
            System.setErr(both);
            PrintWriter report = new PrintWriter(both, true);
            int status = ConsoleLauncher.run(report, report, line.split("\t", -1)).getExitCode();
            System.setOut(answers);
            System.setErr(errors);
            printed.writeTo(answers);
            answers.println();
            boolean isBusy = isBusy();
            answers.println("== status " + status + (isBusy ? " last" : ""));
            answers.flush();
            if (isBusy) {
                Runtime.getRuntime().halt(0);
            }
        }
    }

    /** Whether a thread that tests have started still runs: it would take the time of all that follow. */
    private static boolean isBusy() {
        ThreadGroup own = Thread.currentThread().getThreadGroup();
        return Thread.getAllStackTraces().keySet().stream()
                .anyMatch(thread -> thread.getState() == Thread.State.RUNNABLE
                        && thread != Thread.currentThread() && own.parentOf(thread.getThreadGroup()));
    }
}
