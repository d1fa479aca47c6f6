package org.heapwright.launcher;

import java.io.IOException;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/**
 * What the results of a goal depend on, stored beside them. Results are up to date if the command
 * lines and all files that went into them are the same, and the files that were written are as the
 * run left them.
 */
final class Stamp {
    private static final String INPUTS = "inputs";
    private static final String OUTPUTS = "outputs";
    private static final String OUTCOME = "outcome.";
    private static final String FILE = "file.";

    private final Path file;
    private final List<String> words;
    private final List<Path> inputs;
    private final Path tests;
    private final boolean isKnown;

    /**
     * Describes a goal.
     *
     * @param file file of the stamp
     * @param words words of all command lines
     * @param inputs files and folders that are read
     * @param tests folder of which all files are read and written, or null
     * @param isKnown whether that is all that results depend on
     */
    Stamp(Path file, List<String> words, List<Path> inputs, Path tests, boolean isKnown) {
        this.file = file;
        this.words = words;
        this.inputs = inputs;
        this.tests = tests;
        this.isKnown = isKnown;
    }

    /** Results of the runs with these names, or null if they are not up to date. */
    List<Result> read(List<String> names, Path reports, String prefix) throws LauncherException {
        if (!isKnown || !Files.isRegularFile(file)) {
            return null;
        }
        Properties stored = new Properties();
        try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
            stored.load(reader);
        } catch (IOException | IllegalArgumentException e) {
            return null;
        }
        List<Path> written = new ArrayList<>();
        for (int i = 0; stored.containsKey(FILE + i); i++) {
            written.add(Path.of(stored.getProperty(FILE + i)));
        }
        if (!outputs(written).equals(stored.getProperty(OUTPUTS)) || !inputs().equals(stored.getProperty(INPUTS))) {
            return null;
        }
        List<Result> results = new ArrayList<>();
        for (String name : names) {
            Path json = reports.resolve(prefix + name + ".json");
            String outcome = stored.getProperty(OUTCOME + name);
            boolean isThere = Files.isRegularFile(json);
            if (outcome == null) {
                return null;
            }
            results.add(new Result(name, Outcome.valueOf(outcome), isThere ? Summary.read(json) : null));
        }
        return results;
    }

    /** Stores what results depend on. */
    void write(List<Result> results) throws LauncherException {
        if (!isKnown) {
            return;
        }
        List<Path> written = new ArrayList<>();
        Properties stored = new Properties();
        for (Result result : results) {
            stored.setProperty(OUTCOME + result.name(), result.outcome().name());
            if (result.summary() != null) {
                written.addAll(result.summary().files());
                written.add(file.resolveSibling("heapwright-" + result.name() + ".json"));
            }
        }
        for (int i = 0; i < written.size(); i++) {
            stored.setProperty(FILE + i, written.get(i).toString());
        }
        stored.setProperty(INPUTS, inputs());
        stored.setProperty(OUTPUTS, outputs(written));
        try (Writer writer = Files.newBufferedWriter(file, StandardCharsets.UTF_8)) {
            stored.store(writer, null);
        } catch (IOException e) {
            throw new LauncherException("failed to write " + file + ": " + e, e);
        }
    }

    private String inputs() throws LauncherException {
        Digest digest = new Digest();
        words.forEach(digest::add);
        return digested(digest, inputs);
    }

    private String outputs(List<Path> written) throws LauncherException {
        List<Path> all = new ArrayList<>(written);
        if (tests != null) {
            all.add(tests);
        }
        return digested(new Digest(), all);
    }

    private static String digested(Digest digest, List<Path> paths) throws LauncherException {
        for (Path path : paths) {
            try {
                digest.add(path.toString()).addTree(path);
            } catch (IOException | UncheckedIOException e) {
                throw new LauncherException("failed to read " + path + ": " + e, e);
            }
        }
        return digest.text();
    }
}
