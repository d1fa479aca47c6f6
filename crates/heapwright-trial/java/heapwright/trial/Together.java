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
import java.util.concurrent.BlockingQueue;

/**
 * Runs whole test classes as they are told, a binary name a line, one after the other in this virtual machine, by the frameworks
 * on the class path:
 *
 * <ul>
 *   <li>{@code started NAME} before each test and {@code finished OUTCOME REASON} behind it, as the driver reports them
 *   <li>{@code skipped NAME REASON} and {@code broken NAME REASON} for what is not run, and for what fails outside of a test
 *   <li>{@code ran} behind each class
 * </ul>
 *
 * <p>It ends at the end of its input, whatever a test is doing then. Tests see none of its streams.
 */
public final class Together {
    private static final PrintStream ANSWERS =
            new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);

    private Together() {}

    /** The argument names the folder that goes with this process. */
    public static void main(String[] arguments) throws Exception {
        InputStream requests = System.in;
        System.setIn(new ByteArrayInputStream(new byte[0]));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        Method run = Class.forName("heapwright.measure.Driver").getMethod("run", String.class);
        BlockingQueue<String> classes = Main.linesOf(requests, Path.of(arguments[0]));
        while (true) {
            String name = classes.take();
            try {
                run.invoke(null, name);
            } catch (ReflectiveOperationException failed) {
                Throwable cause = failed.getCause() == null ? failed : failed.getCause();
                report("broken", name, cause.toString());
            }
            report("ran");
        }
    }

    /** A line of fields, each without tabs. Tests of several threads may report at once. */
    public static synchronized void report(String... fields) {
        StringBuilder line = new StringBuilder();
        for (String field : fields) {
            line.append(line.length() == 0 ? "" : "\t").append(Main.line(field));
        }
        ANSWERS.println(line);
        ANSWERS.flush();
    }
}
