package heapwright.agent;

import java.io.IOException;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.ClassFileTransformer;
import java.lang.instrument.Instrumentation;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Gives classes under test other code: with probes as they are loaded, and with a mutant while it is judged.
 *
 * <p>The argument names a file with a line for each class and switch:
 *
 * <ul>
 *   <li>{@code class NAME ORIGINAL PROBED}: its internal name, the file of which it is expected, and that to take in its place,
 *       if any
 *   <li>{@code table KEY=TARGET…}: the keys of a switch in ascending order
 *   <li>{@code slots NUMBER}
 * </ul>
 */
public final class Agent {
    private static Instrumentation instrumentation;
    private static final Map<String, Code> CODE = new ConcurrentHashMap<>();
    /** Classes that were loaded from another file. */
    private static final Set<String> FOREIGN = ConcurrentHashMap.newKeySet();

    /** The mutant: the class, and its file. */
    private static volatile String mutated;
    private static volatile byte[] mutant;

    private record Code(byte[] original, byte[] probed) {}

    private Agent() {}

    /** The virtual machine calls this before {@code main}. */
    public static void premain(String file, Instrumentation given) throws IOException {
        instrumentation = given;
        List<int[]> keys = new ArrayList<>();
        List<int[]> targets = new ArrayList<>();
        int slots = 0;
        for (String line : Files.readAllLines(Path.of(file), StandardCharsets.UTF_8)) {
            String[] fields = line.split("\t", -1);
            switch (fields[0]) {
                case "class" -> {
                    byte[] probed = fields[3].isEmpty() ? null : Files.readAllBytes(Path.of(fields[3]));
                    CODE.put(fields[1], new Code(Files.readAllBytes(Path.of(fields[2])), probed));
                }
                case "table" -> {
                    keys.add(numbers(fields, 0));
                    targets.add(numbers(fields, 1));
                }
                default -> slots = Integer.parseInt(fields[1]);
            }
        }
        Probes.prepare(slots, keys.toArray(int[][]::new), targets.toArray(int[][]::new));
        given.addTransformer(new Transformer());
    }

    private static int[] numbers(String[] fields, int part) {
        return Arrays.stream(fields, 1, fields.length)
                .mapToInt(pair -> Integer.parseInt(pair.split("=")[part]))
                .toArray();
    }

    private static final class Transformer implements ClassFileTransformer {
        @Override
        public byte[] transform(
                ClassLoader loader, String name, Class<?> redefined, ProtectionDomain domain, byte[] file) {
            Code code = name == null || redefined != null ? null : CODE.get(name);
            if (code == null) {
                return null;
            }
            if (!Arrays.equals(file, code.original)) {
                FOREIGN.add(name);
                return null;
            }
            return name.equals(mutated) ? mutant : code.probed;
        }
    }

    /** The classes that were loaded from another file than expected. */
    public static Set<String> foreign() {
        return Set.copyOf(FOREIGN);
    }

    /**
     * Gives a class, by its internal name, the code of a mutant, or, without one, its own again.
     *
     * @throws Exception the class cannot be loaded, or is another one, or the virtual machine refuses the code
     */
    public static synchronized void mutate(String name, byte[] file, ClassLoader loader) throws Exception {
        Class.forName(name.replace('/', '.'), false, loader);
        if (FOREIGN.contains(name)) {
            throw new IllegalStateException("another version of " + name + " is loaded");
        }
        mutated = null;
        mutant = file;
        byte[] code = file == null ? CODE.get(name).original : file;
        String binary = name.replace('/', '.');
        List<ClassDefinition> definitions = new ArrayList<>();
        for (Class<?> loaded : instrumentation.getAllLoadedClasses()) {
            if (loaded.getName().equals(binary)) {
                definitions.add(new ClassDefinition(loaded, code));
            }
        }
        instrumentation.redefineClasses(definitions.toArray(ClassDefinition[]::new));
        mutated = file == null ? null : name;
    }
}
