package org.heapwright.launcher;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProgramTest {
    @TempDir
    private Path folder;

    private static final Log LOG = new Log() {
        @Override
        public void info(String line) {}

        @Override
        public void warn(String line) {}
    };

    private Path artifact(String... names) throws IOException {
        Path file = folder.resolve("artifact.zip");
        try (ZipOutputStream zip = new ZipOutputStream(Files.newOutputStream(file))) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(name.getBytes());
                zip.closeEntry();
            }
        }
        return file;
    }

    private List<Path> listed(Path cache) throws IOException {
        try (Stream<Path> all = Files.list(cache)) {
            return all.toList();
        }
    }

    @Test
    void anArtifactIsUnpackedOnce() throws Exception {
        Path artifact = artifact(Platform.programName(), "libz3.so");
        Path cache = folder.resolve("cache");
        Program program = Program.find(null, "", classifier -> artifact, cache, LOG);
        assertTrue(Files.isExecutable(program.file()));
        assertTrue(Files.isRegularFile(program.file().resolveSibling("libz3.so")));
        assertEquals(program, Program.find(" ", null, classifier -> artifact, cache, LOG));
        assertEquals(1, listed(cache).size());
    }

    @Test
    void anArtifactWithoutTheProgramIsRefusedAndLeavesNothing() throws Exception {
        Path artifact = artifact("libz3.so");
        Path cache = folder.resolve("cache");
        LauncherException refused = assertThrows(
                LauncherException.class, () -> Program.find(null, null, classifier -> artifact, cache, LOG));
        assertTrue(refused.getMessage().contains(artifact.toString()), refused.getMessage());
        assertEquals(List.of(), listed(cache));
    }

    @Test
    void entriesStayInTheFolder() throws Exception {
        Path artifact = artifact("../../outside");
        Path cache = folder.resolve("cache");
        assertThrows(LauncherException.class, () -> Program.find(null, null, classifier -> artifact, cache, LOG));
        assertFalse(Files.exists(folder.resolve("outside")));
    }

    @Test
    void aFileThatIsNoProgramIsNamed() {
        LauncherException refused = assertThrows(
                LauncherException.class, () -> Program.find(folder.toString(), null, null, folder, LOG));
        assertTrue(refused.getMessage().startsWith("the program " + folder), refused.getMessage());
    }
}
