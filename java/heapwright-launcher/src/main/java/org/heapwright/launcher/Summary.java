package org.heapwright.launcher;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;

/** Summary that the program prints with {@code --json}. */
public final class Summary {
    private final JsonObject keys;

    private Summary(JsonObject keys) {
        this.keys = keys;
    }

    /**
     * Reads a summary.
     *
     * @throws LauncherException the text is none
     */
    public static Summary of(String json) throws LauncherException {
        try {
            return new Summary(JsonParser.parseString(json).getAsJsonObject());
        } catch (JsonParseException | IllegalStateException e) {
            throw new LauncherException("the program printed no summary: " + e.getMessage(), e);
        }
    }

    /**
     * Reads a file with a summary.
     *
     * @throws LauncherException it cannot be read, or is none
     */
    public static Summary read(Path file) throws LauncherException {
        try {
            return of(Files.readString(file, StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new LauncherException("failed to read " + file + ": " + e, e);
        }
    }

    /** Verb that was called. */
    public String verb() {
        return text("verb");
    }

    /** How the run ended: complete, partial or stopped. */
    public String status() {
        return text("status");
    }

    /** What ended the run before its end, or null. */
    public String stoppedBy() {
        return text("stopped_by");
    }

    /** Binary name of the class, or the number of classes. */
    public String subject() {
        if (keys.has("class")) {
            return text("class");
        }
        List<JsonElement> classes = elements(keys, "classes");
        return classes.size() == 1 ? classes.get(0).getAsString() : classes.size() + " classes";
    }

    /** Number with this name; 0 if there is none. */
    public long number(String name) {
        return has(keys, name) ? keys.get(name).getAsLong() : 0;
    }

    /** Text with this name, or null. */
    public String text(String name) {
        return text(keys, name);
    }

    /** Files that the run has written. */
    public List<Path> files() {
        return elements(keys, "files").stream().map(file -> Path.of(file.getAsString())).toList();
    }

    /** Results of the single classes; that of the only class if it is one. */
    public List<Summary> byClass() {
        List<Summary> all = objects(keys, "by_class").stream().map(Summary::new).toList();
        return all.isEmpty() && keys.has("class") ? List.of(this) : all;
    }

    /** Mutants that no test notices: class, method, line and description. */
    public List<String> aliveMutants() {
        List<String> all = new ArrayList<>();
        for (JsonObject mutant : objects(keys, "mutants_alive")) {
            all.add(text(mutant, "class") + "." + text(mutant, "method") + ":" + text(mutant, "line") + ": "
                    + text(mutant, "description"));
        }
        return all;
    }

    /** What was found, a line each, with the class and the method. */
    public List<String> findings() {
        List<String> found = new ArrayList<>();
        String type = text("class");
        for (JsonObject one : objects(keys, "counterexamples")) {
            StringJoiner arguments = new StringJoiner(", ", "(", ")");
            elements(one, "arguments").forEach(argument -> arguments.add(argument.getAsString()));
            String method = text(one, "method");
            found.add(type + "." + method + ": " + text(one, "reason") + ": "
                    + method.replaceFirst("\\(.*", "") + arguments + " on " + text(one, "before"));
        }
        for (Summary result : byClass()) {
            for (JsonObject one : objects(result.keys, "tests_changed")) {
                found.add(result.text("class") + ": behaviour changed: " + text(one, "file") + ": " + text(one, "test")
                        + ": expected " + text(one, "expected") + ", is now " + text(one, "actual"));
            }
            for (JsonObject one : objects(result.keys, "failing_behaviours")) {
                if (!one.get("sure").getAsBoolean()) {
                    continue;
                }
                found.add(result.text("class") + "." + text(one, "method") + ": " + text(one, "reason") + ": "
                        + text(one, "test"));
            }
        }
        for (JsonObject one : objects(keys, "failing")) {
            found.add(text(one, "test") + ": " + text(one, "reason"));
        }
        for (JsonObject one : objects(keys, "api_witnesses")) {
            found.add(type + ": only the API builds " + text(one, "structure") + ", by " + text(one, "calls"));
        }
        for (JsonObject one : objects(keys, "invariant_witnesses")) {
            found.add(type + ": only the invariant accepts " + text(one, "structure"));
        }
        return found;
    }

    /** One line with the numbers of the result. */
    public String line() {
        List<String> parts = new ArrayList<>();
        switch (verb()) {
            case "generate" -> {
                parts.add(counted(number("tests"), "test"));
                parts.add(number("goals_covered") + " of "
                        + (number("goals_total") - number("goals_infeasible")) + " goals");
                parts.add(number("killed") + " of " + (number("mutants") - number("mutants_equivalent")) + " mutants");
            }
            case "measure" -> {
                parts.add(counted(number("tests_passed"), "test") + " passed, " + number("tests_failed") + " failed");
                if (number("tests_not_run") > 0) {
                    parts.add(number("tests_not_run") + " not run");
                }
                parts.add((isLowerBound() ? "at least " : "") + number("lines_covered") + " of " + number("lines_total") + " lines");
                parts.add(number("branches_covered") + " of " + number("branches_total") + " branches");
                long untried = number("mutants_untried");
                parts.add(number("killed") + " of " + number("mutants") + " mutants killed"
                        + (untried > 0 ? " (" + untried + " not tried)" : ""));
            }
            case "check" -> {
                parts.add(counted(number("structures"), "structure"));
                parts.add(counted(number("calls"), "call"));
                parts.add(counted(objects(keys, "counterexamples").size(), "counterexample"));
            }
            case "compare" -> {
                parts.add(String.valueOf(text("verdict")));
                parts.add(counted(number("common"), "structure") + " in both");
                parts.add(number("api_only") + " only from the API");
                parts.add(number("invariant_only") + " only from the invariant");
            }
            default -> parts.add(String.valueOf(text("explored")) + " " + text("explored_unit"));
        }
        String stopped = stoppedBy() == null ? "" : " by " + stoppedBy();
        return subject() + ": " + String.join(", ", parts) + "; " + status() + stopped;
    }

    /** Whether coverage and killed mutants are lower bounds, as not all tests were run. */
    public boolean isLowerBound() {
        return has(keys, "lower_bound") && keys.get("lower_bound").getAsBoolean();
    }

    /** Share of the mutants that tests notice, in per cent; 100 if there are none. */
    public double mutationScore() {
        return share("killed", number("mutants") - number("mutants_equivalent"));
    }

    /** Share of the lines that tests cover, in per cent; 100 if there are none. */
    public double lineCoverage() {
        return share("lines_covered", number("lines_total"));
    }

    private double share(String covered, long total) {
        return total == 0 ? 100 : 100.0 * number(covered) / total;
    }

    /** A share in per cent, for messages. */
    public static String perCent(double share) {
        return String.format(Locale.ROOT, "%.1f %%", share);
    }

    private static String counted(long count, String noun) {
        return count + " " + noun + (count == 1 ? "" : "s");
    }

    private static boolean has(JsonObject keys, String name) {
        return keys.has(name) && !keys.get(name).isJsonNull();
    }

    private static String text(JsonObject keys, String name) {
        return has(keys, name) ? keys.get(name).getAsString() : null;
    }

    private static List<JsonElement> elements(JsonObject keys, String name) {
        return has(keys, name) && keys.get(name) instanceof JsonArray array ? array.asList() : List.of();
    }

    private static List<JsonObject> objects(JsonObject keys, String name) {
        return elements(keys, name).stream().map(JsonElement::getAsJsonObject).toList();
    }
}
