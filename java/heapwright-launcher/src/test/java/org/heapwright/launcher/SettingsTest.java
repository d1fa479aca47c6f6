package org.heapwright.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.List;
import org.junit.jupiter.api.Test;

class SettingsTest {
    @Test
    void eachGoalGetsItsOwnSettings() throws LauncherException {
        Settings settings = new Settings()
                .set(Setting.TIME_LIMIT, "30s")
                .set(Setting.SCOPE, 4)
                .setMutators(List.of("STRONGER"))
                .setFlag(Setting.UPDATE, true)
                .setTargetTests(List.of("*Test", "a.**"))
                .addArguments(List.of("--seed=7"));
        assertEquals(
                List.of("--time-limit=30s", "--mutants=stronger", "--update", "--seed=7"),
                settings.words(Goal.GENERATE));
        assertEquals(List.of("--time-limit=30s", "--scope=4", "--seed=7"), settings.words(Goal.CHECK));
        assertEquals(
                List.of("--time-limit=30s", "--mutants=stronger", "--test-class=**Test", "--test-class=a.**", "--seed=7"),
                settings.words(Goal.MEASURE));
    }

    @Test
    void emptyValuesSetNothing() throws LauncherException {
        Settings settings = new Settings().set(Setting.TIME_LIMIT, " ").set(Setting.SCOPE, null).setMutators(null);
        assertEquals(List.of(), settings.words(Goal.CHECK));
    }

    @Test
    void severalGroupsOfMutantsAreRefused() {
        LauncherException refused = assertThrows(
                LauncherException.class, () -> new Settings().setMutators(List.of("DEFAULTS", "MATH")));
        assertEquals(
                "mutators: one group of none, defaults, stronger, all and logic is wanted, not DEFAULTS, MATH",
                refused.getMessage());
    }
}
