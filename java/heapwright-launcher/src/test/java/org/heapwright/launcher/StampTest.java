package org.heapwright.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StampTest {
    @TempDir
    private Path folder;

    private Path classes;
    private Path test;

    private Stamp stamp(String... words) {
        return new Stamp(folder.resolve("stamp"), List.of(words), List.of(classes), null, true);
    }

    private List<Result> read(String... words) throws LauncherException {
        return stamp(words).read(List.of("generate"), folder, "heapwright-");
    }

    @BeforeEach
    void write() throws Exception {
        classes = Files.createDirectories(folder.resolve("classes"));
        Files.writeString(classes.resolve("A.class"), "one");
        test = Files.writeString(folder.resolve("ATest.java"), "test");
        String json = "{\"verb\": \"generate\", \"files\": [\"" + test.toString().replace("\\", "\\\\") + "\"]}";
        Files.writeString(folder.resolve("heapwright-generate.json"), json);
        stamp("generate").write(List.of(new Result("generate", Outcome.PARTIAL, Summary.of(json))));
    }

    @Test
    void resultsHoldWhileNothingChanges() throws Exception {
        assertEquals(Outcome.PARTIAL, read("generate").get(0).outcome());
    }

    @Test
    void aChangeOfAClassVoidsThem() throws Exception {
        Files.writeString(classes.resolve("A.class"), "two");
        assertNull(read("generate"));
    }

    @Test
    void aNewClassVoidsThem() throws Exception {
        Files.writeString(classes.resolve("B.class"), "one");
        assertNull(read("generate"));
        Files.delete(classes.resolve("B.class"));
        assertNotNull(read("generate"));
    }

    @Test
    void anotherCommandLineVoidsThem() throws Exception {
        assertNull(read("generate", "--seed=1"));
    }

    @Test
    void aMissingTestVoidsThem() throws Exception {
        Files.delete(test);
        assertNull(read("generate"));
    }
}
