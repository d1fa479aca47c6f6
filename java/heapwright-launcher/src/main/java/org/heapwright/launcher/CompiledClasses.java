package org.heapwright.launcher;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.objectweb.asm.ClassReader;
import org.objectweb.asm.ClassVisitor;
import org.objectweb.asm.MethodVisitor;
import org.objectweb.asm.Opcodes;

/** Classes in the folders that a project is compiled to. */
public final class CompiledClasses {
    /** Names of an invariant that the program looks for where none is named. */
    static final Set<String> INVARIANTS = Set.of("repOK", "repOk", "checkRep", "invariant", "isValid");

    /** Files by binary name, in the order of the names. */
    private final Map<String, Path> files = new TreeMap<>();
    private final List<Path> folders;

    /**
     * Lists the classes of folders. A folder that does not exist has none.
     *
     * @throws LauncherException a folder cannot be read
     */
    public CompiledClasses(Collection<Path> folders) throws LauncherException {
        this.folders = List.copyOf(folders);
        for (Path folder : folders) {
            if (!Files.isDirectory(folder)) {
                continue;
            }
            try (Stream<Path> all = Files.walk(folder)) {
                all.filter(file -> file.toString().endsWith(".class"))
                        .forEach(file -> files.putIfAbsent(nameOf(folder, file), file));
            } catch (IOException | java.io.UncheckedIOException e) {
                throw new LauncherException("failed to list the classes in " + folder + ": " + e, e);
            }
        }
        files.keySet().removeIf(name -> !hasSourceName(name));
    }

    /** Whether there is no class. */
    public boolean isEmpty() {
        return files.isEmpty();
    }

    /**
     * Names that patterns select, in alphabetical order. A member class belongs to its class; it is
     * selected by itself only by a pattern with a dollar sign.
     *
     * @param targets patterns of which one has to fit; none for all classes
     * @param excluded patterns of which none may fit
     */
    List<String> selected(Collection<String> targets, Collection<String> excluded) {
        List<ClassPattern> wanted = patterns(targets.isEmpty() ? List.of("*") : targets);
        List<ClassPattern> unwanted = patterns(excluded);
        List<String> names = new ArrayList<>();
        for (String name : files.keySet()) {
            boolean isMember = isMember(name);
            boolean fits = wanted.stream()
                    .anyMatch(pattern -> pattern.fits(name) && (!isMember || pattern.isOfMembers()));
            if (fits && unwanted.stream().noneMatch(pattern -> pattern.fits(name))) {
                names.add(name);
            }
        }
        return names;
    }

    /**
     * Whether a class has code for an invariant: a boolean method without parameters.
     *
     * @param named its name, or null for any of the usual ones
     * @throws LauncherException the class cannot be read
     */
    boolean hasInvariant(String name, String named) throws LauncherException {
        Set<String> names = named == null ? INVARIANTS : Set.of(named);
        boolean[] found = {false};
        ClassVisitor visitor = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public MethodVisitor visitMethod(
                    int access, String method, String descriptor, String signature, String[] exceptions) {
                boolean isConcrete = (access & (Opcodes.ACC_ABSTRACT | Opcodes.ACC_STATIC)) == 0;
                found[0] |= isConcrete && descriptor.equals("()Z") && names.contains(method);
                return null;
            }
        };
        Path file = files.get(name);
        try (InputStream bytes = Files.newInputStream(file)) {
            new ClassReader(bytes).accept(visitor, ClassReader.SKIP_CODE);
        } catch (IOException | RuntimeException e) {
            throw new LauncherException("failed to read the class file " + file + ": " + e, e);
        }
        return found[0];
    }

    /** The folders, for messages. */
    String places() {
        return folders.stream().map(Path::toString).collect(Collectors.joining(", "));
    }

    private boolean isMember(String name) {
        for (int dollar = name.indexOf('$'); dollar > 0; dollar = name.indexOf('$', dollar + 1)) {
            if (files.containsKey(name.substring(0, dollar))) {
                return true;
            }
        }
        return false;
    }

    private static List<ClassPattern> patterns(Collection<String> texts) {
        return texts.stream().map(ClassPattern::new).toList();
    }

    private static String nameOf(Path folder, Path file) {
        String name = folder.relativize(file).toString();
        return name.substring(0, name.length() - ".class".length()).replace('/', '.').replace('\\', '.');
    }

    /** Whether source code can name a class; anonymous and local ones have no name. */
    private static boolean hasSourceName(String name) {
        String simple = name.substring(name.lastIndexOf('.') + 1);
        if (simple.equals("package-info") || simple.equals("module-info")) {
            return false;
        }
        String[] parts = simple.split("\\$");
        for (int i = 1; i < parts.length; i++) {
            if (!parts[i].isEmpty() && Character.isDigit(parts[i].charAt(0))) {
                return false;
            }
        }
        return true;
    }
}
