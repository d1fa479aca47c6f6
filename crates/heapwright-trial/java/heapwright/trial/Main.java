package heapwright.trial;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.stream.Stream;

/**
 * Compiles and runs tests as it is told to, a line a request, its fields separated by tabs:
 *
 * <ul>
 *   <li>{@code compile OUT RELEASE SOURCE…}: a line {@code diagnostic FILE LINE KIND TEXT} for each, then {@code compiled};
 *       without a release for that of this virtual machine
 *   <li>{@code run OUT CLASS PASSES}: {@code start PASS METHOD ROW} before each test, {@code noted FIELD…} for each of its
 *       {@link Notes} and {@code passed} or {@code failed LINE TEXT} behind it, then {@code ran}
 * </ul>
 *
 * <p>It ends at the end of its input, whatever a test is doing then. Tests see none of its streams.
 */
public final class Main {
    private final PrintStream answers;
    private final List<Path> classPath;

    private Main(PrintStream answers, List<Path> classPath) {
        this.answers = answers;
        this.classPath = classPath;
    }

    /** The first argument names a file with an entry of the class path a line; the second is the seed of this world, the third the folder that it works in. */
    public static void main(String[] arguments) throws Exception {
        PrintStream answers = new PrintStream(new FileOutputStream(FileDescriptor.out), false, StandardCharsets.UTF_8);
        InputStream requests = System.in;
        System.setIn(new ByteArrayInputStream(new byte[0]));
        System.setOut(new PrintStream(OutputStream.nullOutputStream()));
        System.setErr(new PrintStream(OutputStream.nullOutputStream()));
        World.salt(Long.parseLong(arguments[1]));
        List<Path> classPath = Files.readAllLines(Path.of(arguments[0])).stream().map(Path::of).toList();
        Main main = new Main(answers, classPath);
        BlockingQueue<String> lines = linesOf(requests, Path.of(arguments[2]));
        while (true) {
            main.answer(lines.take().split("\t"));
            answers.flush();
        }
    }

    /** The lines of a stream as they come; at its end everything ends, the folder too: nobody is left to remove it. */
    static BlockingQueue<String> linesOf(InputStream stream, Path folder) {
        BlockingQueue<String> lines = new LinkedBlockingQueue<>();
        Thread reader = new Thread(() -> {
            try (BufferedReader in = new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
                for (String line = in.readLine(); line != null; line = in.readLine()) {
                    lines.add(line);
                }
            } catch (Exception closed) {
                // As at the end.
            }
            remove(folder);
            Runtime.getRuntime().halt(0);
        });
        reader.setDaemon(true);
        reader.start();
        return lines;
    }

    private static void remove(Path folder) {
        try (Stream<Path> all = Files.walk(folder)) {
            all.sorted(Comparator.reverseOrder()).forEach(path -> path.toFile().delete());
        } catch (IOException | UncheckedIOException unreadable) {
            // Another process was first.
        }
    }

    private void answer(String[] request) {
        switch (request[0]) {
            case "compile" -> {
                List<String> sources = Arrays.asList(request).subList(3, request.length);
                new Compiler(answers, classPath).compile(request[1], request[2], sources);
                answers.println("compiled");
            }
            case "run" -> {
                new Runner(answers, classPath).run(Path.of(request[1]), request[2], Integer.parseInt(request[3]));
                answers.println("ran");
            }
            default -> throw new IllegalArgumentException(request[0]);
        }
    }

    /** A text in one line without tabs, not too long. */
    static String line(String text) {
        String flat = text.codePoints()
                .limit(400)
                .map(point -> point < ' ' ? ' ' : point)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
        return flat.strip();
    }
}
