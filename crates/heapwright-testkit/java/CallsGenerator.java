import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.net.URI;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Writes a program that calls the public constructors and methods of packages of java.base, each with plain arguments and,
 * if it is a method with parameters, once more with arguments at the edges: {@code CallsGenerator FOLDER STEP}. Of all
 * calls every STEP-th is written, which the file {@code calls.txt} lists.
 */
public final class CallsGenerator {
    private static final String[] PACKAGES = {
        "java.io", "java.lang", "java.lang.invoke", "java.lang.module", "java.lang.ref", "java.lang.reflect", "java.math",
        "java.net", "java.nio", "java.nio.charset", "java.security", "java.text", "java.time", "java.time.chrono",
        "java.time.format", "java.time.temporal", "java.time.zone", "java.util", "java.util.concurrent",
        "java.util.concurrent.atomic", "java.util.concurrent.locks", "java.util.function", "java.util.regex",
        "java.util.stream", "java.util.zip",
    };
    /** What ends the program or takes its streams away. */
    private static final Set<String> LEFT_OUT = Set.of("exit", "halt", "setOut", "setErr", "setIn", "gc");
    /** Calls in one class. */
    private static final int GROUP = 200;

    /** Of a type an expression and, behind it, one at the edge of what there is. */
    private static final Map<Class<?>, String[]> VALUES = new HashMap<>();

    static {
        put(int.class, "2", "-1");
        put(long.class, "2L", "Long.MIN_VALUE");
        put(boolean.class, "true", "false");
        put(double.class, "1.5", "Double.NaN");
        put(float.class, "1.5f", "Float.NEGATIVE_INFINITY");
        put(char.class, "'a'", "'\\uffff'");
        put(byte.class, "(byte) 2", "(byte) -128");
        put(short.class, "(short) 2", "(short) -1");
        put(String.class, "\"a\"", "\"\"");
        put(CharSequence.class, "\"a\"", "\"\"");
        put(Object.class, "\"a\"", "null");
        put(Comparable.class, "\"a\"", "null");
        put(Class.class, "String.class", "int.class");
        put(Number.class, "Integer.valueOf(3)", "null");
        put(java.util.Locale.class, "java.util.Locale.US", "java.util.Locale.ROOT");
        for (Class<?> type : new Class<?>[] {java.util.Collection.class, List.class, Iterable.class}) {
            put(type, "new java.util.ArrayList<>(java.util.List.of(\"a\", \"b\"))", "java.util.List.of()");
        }
        put(Map.class, "new java.util.HashMap<>(java.util.Map.of(\"a\", \"b\"))", "java.util.Map.of()");
        put(Set.class, "new java.util.HashSet<>(java.util.Set.of(\"a\"))", "java.util.Set.of()");
        put(java.util.Iterator.class, "java.util.List.of(1).iterator()", "null");
        put(Comparator.class, "java.util.Comparator.naturalOrder()", "null");
        put(int[].class, "new int[] {3, 1, 2}", "new int[0]");
        put(long[].class, "new long[] {2, 1}", "new long[0]");
        put(byte[].class, "new byte[] {3, 1, 2}", "new byte[0]");
        put(char[].class, "new char[] {'c', 'a'}", "new char[0]");
        put(double[].class, "new double[] {2, 1}", "new double[0]");
        put(Object[].class, "new String[] {\"b\", \"a\"}", "new Object[1]");
        put(String[].class, "new String[] {\"b\", \"a\"}", "new String[1]");
        put(StringBuilder.class, "new StringBuilder(\"sb\")", "null");
        put(StringBuffer.class, "new StringBuffer(\"sb\")", "null");
        put(Throwable.class, "new RuntimeException(\"r\")", "null");
        put(Exception.class, "new RuntimeException(\"r\")", "null");
        put(ClassLoader.class, "ClassLoader.getSystemClassLoader()", "null");
        put(Module.class, "String.class.getModule()", "null");
        put(Thread.class, "Thread.currentThread()", "null");
        put(Runnable.class, "(Runnable) () -> { }", "null");
        put(java.util.function.Function.class, "(java.util.function.Function) x -> x", "null");
        put(java.util.function.UnaryOperator.class, "(java.util.function.UnaryOperator) x -> x", "null");
        put(java.util.function.Predicate.class, "(java.util.function.Predicate) x -> true", "null");
        put(java.util.function.Supplier.class, "(java.util.function.Supplier) () -> \"s\"", "null");
        put(java.util.function.Consumer.class, "(java.util.function.Consumer) x -> { }", "null");
        put(java.util.function.BiFunction.class, "(java.util.function.BiFunction) (x, y) -> x", "null");
        put(java.util.function.IntUnaryOperator.class, "(java.util.function.IntUnaryOperator) x -> x + 1", "null");
        put(java.io.InputStream.class, "new java.io.ByteArrayInputStream(new byte[] {1, 2})", "null");
        put(java.io.OutputStream.class, "new java.io.ByteArrayOutputStream()", "null");
        put(java.io.Reader.class, "new java.io.StringReader(\"abc\\nd\")", "null");
        put(java.io.Writer.class, "new java.io.StringWriter()", "null");
        put(Appendable.class, "new java.io.StringWriter()", "null");
        put(java.math.BigInteger.class, "java.math.BigInteger.TEN", "java.math.BigInteger.ZERO");
        put(java.math.BigDecimal.class, "java.math.BigDecimal.TEN", "java.math.BigDecimal.ZERO");
        put(java.math.MathContext.class, "java.math.MathContext.DECIMAL32", "java.math.MathContext.UNLIMITED");
        put(java.net.URI.class, "java.net.URI.create(\"http://a/b\")", "null");
        put(java.nio.ByteBuffer.class, "java.nio.ByteBuffer.allocate(9)", "java.nio.ByteBuffer.allocate(0)");
        put(java.nio.charset.Charset.class, "java.nio.charset.StandardCharsets.UTF_8", "null");
        put(java.text.FieldPosition.class, "new java.text.FieldPosition(0)", "null");
        put(java.text.ParsePosition.class, "new java.text.ParsePosition(0)", "null");
        put(java.time.LocalDate.class, "java.time.LocalDate.of(2020, 2, 29)", "java.time.LocalDate.MIN");
        put(java.time.LocalTime.class, "java.time.LocalTime.of(1, 2, 3)", "java.time.LocalTime.MAX");
        put(java.time.LocalDateTime.class, "java.time.LocalDateTime.of(2020, 2, 29, 1, 2)", "java.time.LocalDateTime.MAX");
        put(java.time.Instant.class, "java.time.Instant.EPOCH", "java.time.Instant.MAX");
        put(java.time.ZoneId.class, "java.time.ZoneOffset.UTC", "java.time.ZoneOffset.MAX");
        put(java.time.ZoneOffset.class, "java.time.ZoneOffset.UTC", "java.time.ZoneOffset.MAX");
        put(java.time.Duration.class, "java.time.Duration.ofDays(1)", "java.time.Duration.ZERO");
        put(java.time.Period.class, "java.time.Period.ofDays(1)", "java.time.Period.ZERO");
        put(java.time.temporal.TemporalUnit.class, "java.time.temporal.ChronoUnit.DAYS", "java.time.temporal.ChronoUnit.FOREVER");
        put(java.time.temporal.TemporalField.class, "java.time.temporal.ChronoField.DAY_OF_MONTH", "null");
        put(java.time.temporal.TemporalAccessor.class, "java.time.LocalDate.of(2021, 1, 1)", "java.time.LocalTime.NOON");
        put(java.time.temporal.Temporal.class, "java.time.LocalDate.of(2021, 1, 1)", "java.time.LocalTime.NOON");
        put(java.util.BitSet.class, "new java.util.BitSet()", "null");
        put(java.util.Date.class, "new java.util.Date(0)", "null");
        put(java.util.Optional.class, "java.util.Optional.of(1)", "java.util.Optional.empty()");
        put(java.util.Random.class, "new java.util.Random(1)", "null");
        put(java.util.UUID.class, "new java.util.UUID(1, 2)", "null");
        put(java.util.regex.Pattern.class, "java.util.regex.Pattern.compile(\"a*\")", "null");
        put(java.util.stream.Stream.class, "java.util.stream.Stream.of(1, 2)", "java.util.stream.Stream.empty()");
        put(java.util.stream.IntStream.class, "java.util.stream.IntStream.of(1, 2)", "java.util.stream.IntStream.empty()");
    }

    private CallsGenerator() {
    }

    private static void put(Class<?> type, String plain, String edge) {
        VALUES.put(type, new String[] {plain, edge});
    }

    /** Writes the program. */
    public static void main(String[] arguments) throws Exception {
        List<String> all = new ArrayList<>();
        for (String name : PACKAGES) {
            for (Class<?> type : classes(name)) {
                add(type, all);
            }
        }
        int step = Integer.parseInt(arguments[1]);
        List<String> calls = new ArrayList<>();
        for (int number = 0; number < all.size(); number += step) {
            calls.add(all.get(number));
        }
        write(Path.of(arguments[0]), calls);
    }

    private static List<Class<?>> classes(String name) throws IOException {
        Path folder = FileSystems.getFileSystem(URI.create("jrt:/")).getPath("modules", "java.base", name.replace('.', '/'));
        List<Class<?>> found = new ArrayList<>();
        try (Stream<Path> files = Files.list(folder)) {
            for (Path file : (Iterable<Path>) files.sorted()::iterator) {
                String simple = file.getFileName().toString();
                if (!simple.endsWith(".class") || simple.contains("$") || simple.contains("-")) {
                    continue;
                }
                try {
                    Class<?> type = Class.forName(name + "." + simple.substring(0, simple.length() - 6), false, null);
                    if (Modifier.isPublic(type.getModifiers()) && !isLeaving(type)) {
                        found.add(type);
                    }
                } catch (ClassNotFoundException e) {
                    throw new AssertionError(e);
                }
            }
        }
        return found;
    }

    private static boolean isLeaving(java.lang.reflect.AnnotatedElement element) {
        Deprecated mark = element.getAnnotation(Deprecated.class);
        return mark != null && mark.forRemoval();
    }

    private static void add(Class<?> type, List<String> calls) {
        String receiver = null;
        for (Constructor<?> constructor : sorted(type.getConstructors())) {
            String arguments = arguments(constructor, 0);
            if (arguments != null && !Modifier.isAbstract(type.getModifiers()) && !isLeaving(constructor)) {
                String made = "new " + type.getName() + "(" + arguments + ")";
                calls.add(made);
                receiver = receiver == null ? made : receiver;
            }
        }
        if (receiver == null && !type.isInterface()) {
            receiver = value(type, 0);
        }
        List<Method> methods = sorted(type.getMethods());
        for (Method method : methods) {
            boolean makes = Modifier.isStatic(method.getModifiers()) && method.getReturnType() == type;
            if (receiver == null && makes && arguments(method, 0) != null) {
                receiver = type.getName() + "." + method.getName() + "(" + arguments(method, 0) + ")";
            }
        }
        for (Method method : methods) {
            boolean isOwn = method.getDeclaringClass() != Object.class || method.getName().equals("toString");
            boolean isStatic = Modifier.isStatic(method.getModifiers());
            if (!isOwn || method.isSynthetic() || isLeaving(method) || LEFT_OUT.contains(method.getName())
                    || !isStatic && receiver == null) {
                continue;
            }
            String called = isStatic ? type.getName() : "((" + type.getName() + ") " + receiver + ")";
            String result = method.getReturnType() == void.class ? "void " : "";
            for (int edge = 0; edge < (method.getParameterCount() == 0 ? 1 : 2); edge++) {
                String arguments = arguments(method, edge);
                if (arguments != null) {
                    calls.add(result + called + "." + method.getName() + "(" + arguments + ")");
                }
            }
        }
    }

    private static <T extends Executable> List<T> sorted(T[] executables) {
        List<T> sorted = new ArrayList<>(Arrays.asList(executables));
        sorted.sort(Comparator.comparing(Executable::toString));
        return sorted;
    }

    /** The arguments of a call, or null if there is none for a parameter. */
    private static String arguments(Executable executable, int edge) {
        StringBuilder text = new StringBuilder();
        for (Class<?> type : executable.getParameterTypes()) {
            String value = value(type, edge);
            if (value == null) {
                return null;
            }
            text.append(text.length() == 0 ? "" : ", ").append("(").append(type.getCanonicalName()).append(") ").append(value);
        }
        return text.toString();
    }

    private static String value(Class<?> type, int edge) {
        if (VALUES.containsKey(type)) {
            return VALUES.get(type)[edge];
        }
        if (type.isEnum() && Modifier.isPublic(type.getModifiers()) && type.getCanonicalName() != null) {
            Object[] constants = type.getEnumConstants();
            Object constant = constants[edge == 0 ? 0 : constants.length - 1];
            return type.getCanonicalName() + "." + ((Enum<?>) constant).name();
        }
        return null;
    }

    private static void write(Path folder, List<String> calls) throws IOException {
        StringBuilder groups = new StringBuilder();
        for (int first = 0; first < calls.size(); first += GROUP) {
            StringBuilder cases = new StringBuilder();
            StringBuilder methods = new StringBuilder();
            for (int number = first; number < Math.min(calls.size(), first + GROUP); number++) {
                String call = calls.get(number);
                boolean isVoid = call.startsWith("void ");
                String body = isVoid ? call.substring(5) + "; return \"\";" : "return " + call + ";";
                cases.append("            case ").append(number).append(": return call").append(number).append("();\n");
                methods.append("    static Object call").append(number).append("() throws Throwable { ").append(body).append(" }\n");
            }
            String name = "Calls" + first / GROUP;
            String text = "@SuppressWarnings({\"all\", \"removal\"})\nclass " + name
                + " {\n    static Object call(int number) throws Throwable {\n        switch (number) {\n" + cases
                + "            default: return null;\n        }\n    }\n" + methods + "}\n";
            Files.writeString(folder.resolve(name + ".java"), text);
            groups.append("            case ").append(first / GROUP).append(": return ").append(name).append(".call(number);\n");
        }
        String main = Files.readString(folder.resolve("Calls.java.in"));
        Files.writeString(folder.resolve("Calls.java"), main.replace("GROUPS", groups).replace("SIZE", String.valueOf(GROUP)));
        Files.write(folder.resolve("calls.txt"), calls);
    }
}
