package org.heapwright.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
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
            Files.writeString(arguments, String.join("\n", words) + "\n", StandardCharsets.UTF_8);
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

    private static Ended await(Process process, Log log) throws IOException, LauncherException {
        // Each stream has a reader of its own, so that a full one blocks nothing.
        CompletableFuture<String> output = CompletableFuture.supplyAsync(() -> {
            try {
                return new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            } catch (IOException e) {
                return "";
            }
        }, reader -> new Thread(reader, "heapwright-output").start());
        Deque<String> messages = new ArrayDeque<>();
        try (BufferedReader errors =
                new BufferedReader(new InputStreamReader(process.getErrorStream(), StandardCharsets.UTF_8))) {
            for (String line = errors.readLine(); line != null; line = errors.readLine()) {
                String message = line.startsWith(PREFIX) ? line.substring(PREFIX.length()) : line;
                if (!message.isBlank()) {
                    log.info(message);
                    messages.add(message);
                }
                if (messages.size() > SHOWN) {
                    messages.remove();
                }
            }
            return new Ended(Outcome.of(process.waitFor()), output.get(), List.copyOf(messages));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("interrupted", e);
        } catch (ExecutionException e) {
            throw new LauncherException("failed to read what the program printed: " + e.getCause(), e);
        }
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
