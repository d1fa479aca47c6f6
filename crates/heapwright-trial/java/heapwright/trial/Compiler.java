package heapwright.trial;

import java.io.File;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import javax.tools.Diagnostic;
import javax.tools.DiagnosticCollector;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Compiles sources with all warnings on. */
final class Compiler {
    private final PrintStream answers;
    private final List<Path> classPath;

    Compiler(PrintStream answers, List<Path> classPath) {
        this.answers = answers;
        this.classPath = classPath;
    }

    void compile(String to, String release, List<String> sources) {
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        if (javac == null) {
            answers.println("diagnostic\t\t0\tNONE\tno compiler");
            return;
        }
        DiagnosticCollector<JavaFileObject> found = new DiagnosticCollector<>();
        String path = System.getProperty("java.class.path");
        for (Path entry : classPath) {
            path += File.pathSeparator + entry;
        }
        List<String> options = new ArrayList<>(List.of(
                "-d", to, "-classpath", path, "-proc:none", "-encoding", "UTF-8", "-Xmaxerrs", "100000", "-Xmaxwarns",
                "100000", "-Xlint:all,-path,-classfile,-processing,-options"));
        if (!release.isEmpty()) {
            options.addAll(List.of("--release", release));
        }
        try (StandardJavaFileManager files =
                javac.getStandardFileManager(found, Locale.ROOT, StandardCharsets.UTF_8)) {
            javac.getTask(null, files, found, options, null, files.getJavaFileObjectsFromStrings(sources))
                    .call();
        } catch (Exception | StackOverflowError failure) {
            answers.println("diagnostic\t\t0\tERROR\t" + Main.line("the compiler failed: " + failure));
        }
        for (Diagnostic<? extends JavaFileObject> diagnostic : found.getDiagnostics()) {
            JavaFileObject source = diagnostic.getSource();
            String file = source == null ? "" : Path.of(source.toUri()).toString();
            // The name of the check that warns stands only in the whole text.
            String text = diagnostic.getKind() == Diagnostic.Kind.ERROR
                    ? diagnostic.getMessage(Locale.ROOT)
                    : diagnostic.toString();
            answers.println(String.join("\t", "diagnostic", file, Long.toString(diagnostic.getLineNumber()),
                    diagnostic.getKind().name(), Main.line(text)));
        }
    }
}
