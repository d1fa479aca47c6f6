package judge;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.FileObject;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.ToolProvider;

/**
 * Judges random classes on a real JVM: compiles them, makes their heaps, calls their methods.
 *
 * <p>A request is a line of words separated by tabs. The answer is lines, the last of them a dot.
 */
public final class Judge {
    private static final PrintStream OUT = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    public static void main(String[] arguments) throws IOException {
        // What the classes print is no answer.
        System.setOut(new PrintStream(PrintStream.nullOutputStream()));
        System.setErr(System.out);
        BufferedReader requests = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (String line = requests.readLine(); line != null; line = requests.readLine()) {
            String[] words = line.split("\t");
            try {
                switch (words[0]) {
                    case "compile" -> compile(Path.of(words[1]), words[2], List.of(words).subList(3, words.length));
                    case "heaps" -> new Heaps(Path.of(words[1]), words[2], Integer.parseInt(words[3])).answer();
                    case "inputs" -> new Inputs(Path.of(words[1]), words[2], Long.parseLong(words[3])).answer();
                    case "calls" -> new Calls(Path.of(words[1]), words[2], Integer.parseInt(words[3])).wander();
                    case "build" -> new Calls(Path.of(words[1]), words[2], Integer.parseInt(words[3])).build();
                    default -> say("error", "no request " + words[0]);
                }
            } catch (Throwable failure) {
                say("error", failure + " " + List.of(failure.getStackTrace()).stream().limit(6).toList());
            }
            OUT.println(".");
            OUT.flush();
        }
        // Threads of the classes under test do not keep the judge alive.
        Runtime.getRuntime().halt(0);
    }

    /** Adds a line to the answer. */
    static void say(Object... words) {
        StringBuilder line = new StringBuilder();
        for (Object word : words) {
            String text = String.valueOf(word).replaceAll("[\t\n\r]", " ");
            line.append(line.length() == 0 ? "" : "\t").append(text.length() > 2000 ? text.substring(0, 2000) : text);
        }
        OUT.println(line);
    }

    /**
     * Compiles the sources of cases together. Sources of the case `c1` are all in the folder `c1/WHAT-src` and the
     * package `c1`; its classes come to `c1/WHAT`. Names the cases that do not compile.
     */
    private static void compile(Path folder, String what, List<String> cases) throws IOException {
        Map<String, List<JavaFileObject>> sources = new LinkedHashMap<>();
        for (String name : cases) {
            List<JavaFileObject> ofCase = new ArrayList<>();
            try (var files = Files.list(folder.resolve(name).resolve(what + "-src"))) {
                for (Path file : files.sorted().toList()) {
                    ofCase.add(new Source(name, file));
                }
            }
            sources.put(name, ofCase);
        }
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        while (!sources.isEmpty()) {
            DiagnosticCollector<JavaFileObject> said = new DiagnosticCollector<>();
            List<String> options = List.of("-g", "-proc:none", "-Xlint:none", "-nowarn", "-implicit:none");
            try (JavaFileManager plain = compiler.getStandardFileManager(said, null, StandardCharsets.UTF_8);
                    JavaFileManager files = new ByPackage(plain, folder, what)) {
                List<JavaFileObject> all = sources.values().stream().flatMap(List::stream).toList();
                if (compiler.getTask(null, files, said, options, null, all).call()) {
                    return;
                }
            }
            Map<String, String> wrong = new TreeMap<>();
            for (Diagnostic<? extends JavaFileObject> one : said.getDiagnostics()) {
                if (one.getKind() == Diagnostic.Kind.ERROR && one.getSource() instanceof Source source) {
                    wrong.putIfAbsent(source.ofCase, "line " + one.getLineNumber() + ": " + one.getMessage(null));
                }
            }
            if (wrong.isEmpty()) {
                throw new IOException("javac: " + said.getDiagnostics());
            }
            wrong.forEach((name, message) -> say("bad", name, message));
            sources.keySet().removeAll(wrong.keySet());
        }
    }

    private static final class Source extends SimpleJavaFileObject {
        private final String ofCase;
        private final Path file;

        Source(String ofCase, Path file) {
            super(URI.create("string:///" + ofCase + "/" + file.getFileName()), Kind.SOURCE);
            this.ofCase = ofCase;
            this.file = file;
        }

        @Override
        public CharSequence getCharContent(boolean ignoreErrors) throws IOException {
            return Files.readString(file);
        }
    }

    /** Writes each class below the folder of its package. */
    private static final class ByPackage extends ForwardingJavaFileManager<JavaFileManager> {
        private final Path folder;
        private final String what;

        ByPackage(JavaFileManager plain, Path folder, String what) {
            super(plain);
            this.folder = folder;
            this.what = what;
        }

        @Override
        public JavaFileObject getJavaFileForOutput(
                Location location, String name, JavaFileObject.Kind kind, FileObject sibling) {
            String ofCase = name.substring(0, name.indexOf('.'));
            Path file = folder.resolve(ofCase).resolve(what).resolve(name.replace('.', '/') + kind.extension);
            return new SimpleJavaFileObject(file.toUri(), kind) {
                @Override
                public java.io.OutputStream openOutputStream() throws IOException {
                    Files.createDirectories(file.getParent());
                    return Files.newOutputStream(file);
                }
            };
        }
    }
}
