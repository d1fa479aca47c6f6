package heapwright.trial;

import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;

/**
 * Runs whole test classes as they are told, a binary name a line, one after the other in this virtual machine, by the frameworks
 * on the class path. Behind a name there may be a mutant, see {@link Windows#begin}, and units of tests: {@code +UNIT} for each
 * that is to run, or {@code -UNIT} for each that is not.
 *
 * <ul>
 *   <li>{@code ready} at first
 *   <li>{@code unit NAME} before the following if the test is of one that can be asked for, or {@code part NAME} if it can only be
 *       left out, as those behind it may rely on it
 *   <li>{@code started NAME} before each test and {@code finished OUTCOME REASON} behind it, as the driver reports them
 *   <li>{@code skipped NAME REASON} and {@code broken NAME REASON} for what is not run, and for what fails outside of a test
 *   <li>{@code slots SLOTS} before an event, {@code refused REASON} and {@code foreign CLASS}, if there is an agent: what was
 *       executed since the event before; why a mutant does not run; classes that are not as expected
 *   <li>{@code ran} behind each class
 * </ul>
 *
 * <p>It ends at the end of its input, whatever a test is doing then. Tests see none of its streams.
 */
public final class Together {
    private static final PrintStream ANSWERS =
            new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);

    /** Number of the first field of a request that says which units run. */
    private static final int UNITS = 4;

    private Together() {}

    /** The first argument names the folder that goes with this process, a second one says that there is an agent. */
    public static void main(String[] arguments) throws Exception {
        InputStream requests = System.in;
        System.setIn(new ByteArrayInputStream(new byte[0]));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        Method run = Class.forName("heapwright.measure.Driver").getMethod("run", String.class, List.class);
        if (arguments.length > 1) {
            Windows.useAgent();
        }
        BlockingQueue<String> classes = Main.linesOf(requests, Path.of(arguments[0]));
        report("ready");
        while (true) {
            String[] request = classes.take().split("\t");
            run(run, request);
            report("ran");
        }
    }

    private static void run(Method run, String[] request) {
        try {
            Windows.begin(request);
        } catch (Exception | LinkageError refused) {
            report("refused", refused.toString());
            return;
        }
        try {
            List<String> fields = Arrays.asList(request);
            run.invoke(null, request[0], fields.subList(Math.min(UNITS, fields.size()), fields.size()));
        } catch (ReflectiveOperationException failed) {
            Throwable cause = failed.getCause() == null ? failed : failed.getCause();
            Windows.next(true);
            report("broken", request[0], cause.toString());
        }
        try {
            Windows.end();
        } catch (Exception | LinkageError refused) {
            // No later class may run with a mutant.
            Runtime.getRuntime().halt(1);
        }
    }

    /** Ends what was before an event, which may be a failure. */
    public static void next(boolean fails) {
        Windows.next(fails);
    }

    /** Whether a text can be a field of a line. */
    public static boolean isLine(String text) {
        return text.chars().allMatch(each -> each >= ' ') && text.equals(text.strip());
    }

    /** The unit of the next test, which may be longer than other texts. */
    public static synchronized void reportUnit(String name, boolean runsAlone) {
        if (!name.isEmpty()) {
            ANSWERS.println((runsAlone ? "unit\t" : "part\t") + name);
        }
    }

    /** A line of fields, each without tabs. Tests of several threads may report at once. */
    public static synchronized void report(String... fields) {
        StringBuilder line = new StringBuilder();
        for (String field : fields) {
            line.append(line.length() == 0 ? "" : "\t").append(fields[0].equals("slots") ? field : Main.line(field));
        }
        ANSWERS.println(line);
        ANSWERS.flush();
    }
}
