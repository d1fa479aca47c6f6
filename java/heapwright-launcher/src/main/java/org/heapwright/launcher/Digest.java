package org.heapwright.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;

/** SHA-256 of texts, and of files with their names. Parts are separated, so that none runs into another. */
final class Digest {
    private final MessageDigest digest;

    Digest() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Digest of a file's content, in hexadecimal. */
    static String of(Path file) throws IOException {
        Digest digest = new Digest();
        digest.addContent(file);
        return digest.text();
    }

    Digest add(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        digest.update((bytes.length + ":").getBytes(StandardCharsets.UTF_8));
        digest.update(bytes);
        return this;
    }

    /**
     * Adds a file, or all files below a folder, with their names. What does not exist counts as such.
     * Folders whose names begin with a dot are left out.
     */
    Digest addTree(Path path) throws IOException {
        if (Files.isRegularFile(path)) {
            add("file").addContent(path);
        } else if (Files.isDirectory(path)) {
            List<Path> children;
            try (Stream<Path> listed = Files.list(path)) {
                children = listed.sorted().toList();
            } catch (UncheckedIOException e) {
                throw e.getCause();
            }
            add("folder");
            for (Path child : children) {
                String name = child.getFileName().toString();
                if (!name.startsWith(".")) {
                    add(name).addTree(child);
                }
            }
            add("end");
        } else {
            add("nothing");
        }
        return this;
    }

    private void addContent(Path file) throws IOException {
        digest.update((Files.size(file) + ":").getBytes(StandardCharsets.UTF_8));
        try (InputStream stream = Files.newInputStream(file)) {
            byte[] buffer = new byte[1 << 16];
            for (int read = stream.read(buffer); read >= 0; read = stream.read(buffer)) {
                digest.update(buffer, 0, read);
            }
        }
    }

    /** The digest in hexadecimal. */
    String text() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
