package org.heapwright.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/**
 * One run of the program. Its process ends with the build, however that ends.
 *
 * @param name name of the run's files: the verb, and the class where each has a run
 * @param words arguments, the verb first
 */
record Invocation(String name, List<String> words) {
    /** Prefix of the program's messages. */
    private static final String PREFIX = "heapwright: ";
    /** Maximum number of messages that an error shows. */
    private static final int SHOWN = 20;

    Invocation {
        words = List.copyOf(words);
    }

    /** Result of a process: its outcome, what it printed on standard output, and its last messages. */
    record Ended(Outcome outcome, String output, List<String> messages) {}

    /**
     * Runs the program. Messages go to the log as they come.
     *
     * @param arguments file that the command line is written to, so that it may be long, and run again
     * @throws LauncherException the program cannot be started, or the build was interrupted
     */
    Ended run(Program program, Path folder, Path arguments, Log log) throws LauncherException {
        for (String word : words) {
            if (word.indexOf('\n') >= 0 || word.indexOf('\r') >= 0) {
                throw new LauncherException("an argument of the program has a line break: " + word.strip());
            }
        }
        try {
            Files.createDirectories(arguments.getParent());
            Files.writeString(arguments, String.join("\n", words) + "\n", UTF_8);
            Process process = new ProcessBuilder(program.file().toString(), "@" + arguments)
                    .directory(folder.toFile())
                    .start();
            Thread atExit = new Thread(() -> destroy(process));
            Runtime.getRuntime().addShutdownHook(atExit);
            try {
                process.getOutputStream().close();
                return await(process, log);
            } finally {
                destroy(process);
                removeHook(atExit);
            }
        } catch (IOException e) {
            throw new LauncherException("failed to run " + program.file() + ": " + e.getMessage(), e);
        }
    }

    /** Waits for the process. An interrupt of the build ends the wait, which a read would not. */
    private static Ended await(Process process, Log log) throws LauncherException {
        // Each stream has a reader of its own, so that a full one blocks nothing.
        CompletableFuture<String> output =
                reading("heapwright-output", () -> new String(process.getInputStream().readAllBytes(), UTF_8));
        CompletableFuture<List<String>> messages =
                reading("heapwright-messages", () -> messages(process.getErrorStream(), log));
        try {
            int code = process.waitFor();
            return new Ended(Outcome.of(code), output.get(), messages.get());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("interrupted", e);
        } catch (ExecutionException e) {
            throw new LauncherException("failed to read what the program printed: " + e.getCause(), e);
        }
    }

    /** Passes messages on to the log as they come; returns the last ones. */
    private static List<String> messages(InputStream stream, Log log) throws IOException {
        Deque<String> last = new ArrayDeque<>();
        BufferedReader reader = new BufferedReader(new InputStreamReader(stream, UTF_8));
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            String message = line.startsWith(PREFIX) ? line.substring(PREFIX.length()) : line;
            if (message.isBlank()) {
                continue;
            }
            log.info(message);
            last.add(message);
            if (last.size() > SHOWN) {
                last.remove();
            }
        }
        return List.copyOf(last);
    }

    private static <T> CompletableFuture<T> reading(String name, Callable<T> reader) {
        CompletableFuture<T> result = new CompletableFuture<>();
        Thread thread = new Thread(
                () -> {
                    try {
                        result.complete(reader.call());
                    } catch (Exception e) {
                        result.completeExceptionally(e);
                    }
                },
                name);
        thread.setDaemon(true);
        thread.start();
        return result;
    }

    private static void destroy(Process process) {
        process.descendants().forEach(ProcessHandle::destroy);
        process.destroy();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException e) {
            // The virtual machine is about to end, and runs the hook.
            return;
        }
    }
}
