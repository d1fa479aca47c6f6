package files.paths;

import java.io.IOException;
import java.nio.file.*;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.stream.Stream;

public class Main {
    public static void main(String[] args) throws IOException {
        Path folder = Files.createTempDirectory("paths");
        Path text = folder.resolve("text");
        Files.writeString(text, "one\ntwo\n");
        System.out.println(Files.readAllLines(text) + " " + Files.size(text) + " " + Files.readString(text).length());
        Files.write(text, List.of("three"), StandardOpenOption.APPEND);
        try (Stream<String> lines = Files.lines(text)) {
            System.out.println(lines.map(String::length).toList());
        }
        Files.copy(text, folder.resolve("copy"));
        try {
            Files.copy(text, folder.resolve("copy"));
        } catch (FileAlreadyExistsException e) {
            System.out.println(folder.relativize(Path.of(e.getFile())));
        }
        Files.copy(text, folder.resolve("copy"), StandardCopyOption.REPLACE_EXISTING);
        Files.createDirectories(folder.resolve("x/y/z"));
        Files.move(folder.resolve("copy"), folder.resolve("x/y/moved"));
        try (Stream<Path> all = Files.walk(folder)) {
            System.out.println(all.map(path -> folder.relativize(path).toString()).sorted().toList());
        }
        try (DirectoryStream<Path> some = Files.newDirectoryStream(folder, "t*")) {
            some.forEach(path -> System.out.println(path.getFileName()));
        }
        try {
            Files.delete(folder.resolve("x"));
        } catch (DirectoryNotEmptyException e) {
            System.out.println("not empty");
        }
        System.out.println(Files.deleteIfExists(folder.resolve("none")) + " " + Files.exists(text)
            + " " + Files.notExists(text) + " " + Files.isDirectory(folder) + " " + Files.isRegularFile(text)
            + " " + Files.isWritable(text) + " " + Files.isSymbolicLink(text));
        Files.setLastModifiedTime(text, FileTime.fromMillis(5000));
        BasicFileAttributes attributes = Files.readAttributes(text, BasicFileAttributes.class);
        System.out.println(attributes.lastModifiedTime() + " " + attributes.size() + " " + attributes.isOther());
        System.out.println(Files.mismatch(text, folder.resolve("x/y/moved")));
        try {
            Files.readString(Path.of("/none/such"));
        } catch (NoSuchFileException e) {
            System.out.println(e.getMessage());
        }
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path path, IOException failure) throws IOException {
                Files.delete(path);
                return FileVisitResult.CONTINUE;
            }
        });
        System.out.println(Files.exists(folder));
        Path path = Paths.get("/a/./b/../c.txt");
        System.out.println(path.normalize() + " " + path.getNameCount() + " " + path.getParent()
            + " " + path.toUri().getPath() + " " + path.startsWith("/a") + " " + path.subpath(1, 3));
        System.out.println(FileSystems.getDefault().getPathMatcher("glob:*.{java,txt}").matches(Path.of("c.txt")));
    }
}
