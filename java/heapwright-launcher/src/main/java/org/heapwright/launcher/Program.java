package org.heapwright.launcher;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AtomicMoveNotSupportedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Properties;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/**
 * The native program, of the version of this launcher: one that the build names, else one on the
 * PATH, else that of the artifact {@code heapwright-native}.
 *
 * @param file the executable file
 */
public record Program(Path file) {
    /** Artifact with the program, which a build tool resolves. */
    @FunctionalInterface
    public interface NativeArtifact {
        /**
         * Fetches {@code org.heapwright:heapwright-native:zip:CLASSIFIER} of this version.
         *
         * @throws LauncherException it cannot be had
         */
        Path fetch(String classifier) throws LauncherException;
    }

    /** Version of the launcher, and of the program that it runs. */
    public static String version() {
        Properties properties = new Properties();
        try (InputStream file = Program.class.getResourceAsStream("version.properties")) {
            properties.load(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return properties.getProperty("version");
    }

    /**
     * Finds the program.
     *
     * @param named file that the build names, or null
     * @param searchPath folders to look in, as in the variable PATH, or null
     * @param artifact the artifact, for a machine on which the program is not installed
     * @param cache folder in which artifacts are unpacked
     * @throws LauncherException there is none of this version
     */
    public static Program find(String named, String searchPath, NativeArtifact artifact, Path cache, Log log)
            throws LauncherException {
        if (named != null && !named.isBlank()) {
            Path file = Path.of(named).toAbsolutePath();
            if (!Files.isExecutable(file) || Files.isDirectory(file)) {
                throw new LauncherException("the program " + file + " is no executable file: correct the setting "
                        + "executable, or leave it out to take the one on the PATH or of heapwright-native");
            }
            String found = versionOf(file);
            if (!found.equals(version())) {
                throw new LauncherException("the program " + file + " has version " + found + ", but this plugin "
                        + version() + ": take the plugin of version " + found + ", or another program");
            }
            return new Program(file);
        }
        Optional<Path> installed = onPath(searchPath);
        if (installed.isPresent()) {
            String found = versionOf(installed.get());
            if (found.equals(version())) {
                return new Program(installed.get());
            }
            log.info(installed.get() + " has version " + found + ", not " + version() + ": it is not used");
        }
        return new Program(unpacked(artifact.fetch(Platform.classifier()), cache));
    }

    private static Optional<Path> onPath(String searchPath) {
        if (searchPath == null) {
            return Optional.empty();
        }
        for (String folder : searchPath.split(File.pathSeparator)) {
            try {
                Path file = Path.of(folder, Platform.programName());
                if (!folder.isEmpty() && Files.isExecutable(file) && !Files.isDirectory(file)) {
                    return Optional.of(file.toAbsolutePath());
                }
            } catch (InvalidPathException e) {
                // The shell passes over such an entry, too.
                continue;
            }
        }
        return Optional.empty();
    }

    /** Version that a program tells with {@code --version}. */
    private static String versionOf(Path file) throws LauncherException {
        try {
            Process process = new ProcessBuilder(file.toString(), "--version")
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            process.getOutputStream().close();
            String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
            boolean isDone = process.waitFor() == 0;
            if (isDone && text.startsWith("heapwright ")) {
                return text.substring("heapwright ".length()).strip();
            }
        } catch (IOException e) {
            throw new LauncherException("the program " + file + " does not start: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LauncherException("interrupted", e);
        }
        throw new LauncherException(file + " does not answer --version as heapwright does");
    }

    /**
     * Unpacks an artifact into the folder of its content's digest, if it is not there. The folder is
     * whole or absent.
     */
    private static Path unpacked(Path artifact, Path cache) throws LauncherException {
        try {
            Path folder = cache.resolve(Digest.of(artifact));
            Path program = folder.resolve(Platform.programName());
            if (Files.isExecutable(program)) {
                return program;
            }
            Files.createDirectories(cache);
            Path fresh = Files.createTempDirectory(cache, "unpacking");
            try {
                unpack(artifact, fresh);
                Path file = fresh.resolve(Platform.programName());
                if (!Files.isRegularFile(file)) {
                    throw new LauncherException("the artifact " + artifact + " has no " + Platform.programName()
                            + ": remove it, so that it is fetched again");
                }
                if (!file.toFile().setExecutable(true)) {
                    throw new LauncherException("failed to make " + file + " executable: " + cache
                            + " has to be on a file system that allows it");
                }
                try {
                    move(fresh, folder);
                } catch (FileSystemException e) {
                    // Another build was faster.
                    if (!Files.isExecutable(program)) {
                        throw e;
                    }
                }
            } finally {
                remove(fresh);
            }
            return program;
        } catch (IOException e) {
            throw new LauncherException("failed to unpack " + artifact + " into " + cache + ": " + e, e);
        }
    }

    private static void unpack(Path artifact, Path folder) throws IOException {
        try (ZipInputStream zip = new ZipInputStream(Files.newInputStream(artifact))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                Path file = folder.resolve(entry.getName()).normalize();
                if (!file.startsWith(folder)) {
                    throw new IOException("the entry " + entry.getName() + " leads out of the folder");
                }
                if (entry.isDirectory()) {
                    Files.createDirectories(file);
                } else {
                    Files.createDirectories(file.getParent());
                    Files.copy(zip, file);
                }
            }
        }
    }

    private static void move(Path from, Path to) throws IOException {
        try {
            Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
        } catch (AtomicMoveNotSupportedException e) {
            Files.move(from, to);
        }
    }

    private static void remove(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return;
        }
        List<Path> all;
        try (Stream<Path> walked = Files.walk(folder)) {
            all = walked.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path path : all) {
            Files.delete(path);
        }
    }
}
