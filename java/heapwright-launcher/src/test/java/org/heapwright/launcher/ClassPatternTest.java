package org.heapwright.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.List;
import org.junit.jupiter.api.Test;

class ClassPatternTest {
    private static final List<String> NAMES = List.of("com.acme.A", "com.acme.sub.B", "com.acme.A$C", "com.acmes.D");

    private static List<String> fitting(String pattern) {
        ClassPattern compiled = new ClassPattern(pattern);
        return NAMES.stream().filter(compiled::fits).toList();
    }

    @Test
    void aStarStandsForAnyCharactersAsWithPit() {
        assertEquals(List.of("com.acme.A", "com.acme.sub.B", "com.acme.A$C"), fitting("com.acme.*"));
        assertEquals(List.of("com.acme.A"), fitting("com.acme.A"));
        assertEquals(List.of("com.acme.A", "com.acme.A$C"), fitting("com.acme.A*"));
        assertEquals(List.of("com.acme.sub.B"), fitting("*.B"));
    }

    @Test
    void aQuestionMarkStandsForOne() {
        assertEquals(List.of("com.acme.A"), fitting("com.acme.?"));
    }

    @Test
    void dotsAreDots() {
        assertEquals(List.of(), fitting("com.acme.sub?B?"));
        assertEquals(List.of(), fitting("comXacme.A"));
    }
}
