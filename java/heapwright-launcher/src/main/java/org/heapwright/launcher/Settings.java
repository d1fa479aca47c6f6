package org.heapwright.launcher;

import java.util.ArrayList;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Values of settings. Those that are not set are the program's defaults. */
public final class Settings {
    private final Map<Setting, List<String>> values = new EnumMap<>(Setting.class);
    private final List<String> arguments = new ArrayList<>();

    /** Sets a value; null and the empty text set nothing. */
    public Settings set(Setting setting, Object value) {
        if (value != null && !value.toString().isBlank()) {
            values.put(setting, List.of(value.toString().strip()));
        }
        return this;
    }

    /** Sets the values of an option that may be repeated; null and no value set nothing. */
    private Settings setAll(Setting setting, Collection<String> all) {
        if (all != null && !all.isEmpty()) {
            values.put(setting, List.copyOf(all));
        }
        return this;
    }

    /** Sets patterns of test classes, in which {@code *} stands for any characters as with PIT. */
    public Settings setTargetTests(Collection<String> patterns) {
        return setAll(
                Setting.TARGET_TESTS,
                patterns == null ? null : patterns.stream().map(text -> text.replaceAll("\\*+", "**")).toList());
    }

    /** Sets the formats of reports. Their names may be in capitals, as PIT writes them. */
    public Settings setOutputFormats(Collection<String> formats) {
        return set(Setting.OUTPUT_FORMATS, formats == null ? null : String.join(",", formats).toLowerCase(Locale.ROOT));
    }

    /** Sets an option without a value. */
    public Settings setFlag(Setting setting, boolean isSet) {
        if (isSet) {
            values.put(setting, List.of());
        }
        return this;
    }

    /**
     * Sets the group of mutants. Its name may be in capitals, as PIT writes it.
     *
     * @throws LauncherException there is more than one
     */
    public Settings setMutators(Collection<String> groups) throws LauncherException {
        if (groups == null || groups.isEmpty()) {
            return this;
        }
        if (groups.size() > 1) {
            throw new LauncherException(
                    "mutators: one group of none, defaults, stronger, all and logic is wanted, not "
                            + String.join(", ", groups));
        }
        return set(Setting.MUTATORS, groups.iterator().next().toLowerCase(Locale.ROOT));
    }

    /** Adds arguments of the program's command line, which stand at its end. */
    public Settings addArguments(Collection<String> words) {
        if (words != null) {
            arguments.addAll(words);
        }
        return this;
    }

    /** Whether a setting has a value. */
    boolean isSet(Setting setting) {
        return values.containsKey(setting);
    }

    /** The value of a setting, or null. */
    String value(Setting setting) {
        List<String> all = values.get(setting);
        return all == null || all.isEmpty() ? null : all.get(0);
    }

    /** Words of the command line of a goal. Settings of other goals are left out. */
    List<String> words(Goal goal) {
        List<String> words = new ArrayList<>();
        values.forEach((setting, all) -> {
            if (!setting.goals().contains(goal)) {
                return;
            }
            if (all.isEmpty()) {
                words.add(setting.option());
            }
            for (String value : all) {
                words.add(setting.option() + "=" + value);
            }
        });
        words.addAll(arguments);
        return words;
    }
}
