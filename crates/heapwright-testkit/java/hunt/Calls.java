package judge;

import java.io.PrintStream;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

/**
 * Makes objects by calls alone: random sequences of calls of a class, its subclasses and its members, also of
 * subclasses that only the judge knows; and all structures that calls build within a scope.
 */
final class Calls {
    private static final int SEQUENCES = 1_500;
    private static final int MOST_CALLS = 10;
    private static final int MOST_STRUCTURES = 3_000;

    private final Path folder;
    private final String name;
    private final int number;
    private final Random random;

    Calls(Path folder, String name, int number) {
        this.folder = folder;
        this.name = name;
        this.number = number;
        random = new Random(number);
    }

    /** Random sequences; tells the lines that they come by, each with the calls. */
    void wander() throws Exception {
        Map<Integer, String> seen = new LinkedHashMap<>();
        List<Class<?>> classes = List.of();
        for (int sequence = 0; sequence < SEQUENCES; sequence++) {
            if (sequence % 50 == 0) {
                ClassLoader loader = Values.loader(folder.resolve("twin"));
                classes = Values.classes(folder.resolve("twin"), name, loader);
            }
            List<Object> pool = new ArrayList<>();
            StringBuilder calls = new StringBuilder();
            for (int call = 1 + random.nextInt(MOST_CALLS); call > 0; call--) {
                H.start();
                H.callback = object -> {
                    pool.add(object);
                    step(List.of(object.getClass()), pool, calls.append("{ "), 0);
                    calls.append("} ");
                };
                step(classes, pool, calls, 0);
                for (int line = H.LINES.nextSetBit(0); line >= 0; line = H.LINES.nextSetBit(line + 1)) {
                    seen.putIfAbsent(line, calls.toString());
                }
            }
        }
        seen.forEach((line, calls) -> Judge.say("seen", 1, "line " + line, calls));
    }

    /** One random call; its result, and an object that it makes, come to the pool. */
    private void step(List<Class<?>> classes, List<Object> pool, StringBuilder calls, int depth) {
        List<Executable> all = new ArrayList<>();
        for (Class<?> one : classes) {
            if (one.isEnum() && random.nextInt(4) == 0) {
                pool.addAll(Arrays.asList(one.getEnumConstants()));
            }
            if (!Modifier.isAbstract(one.getModifiers()) && !one.isEnum()) {
                all.addAll(Arrays.asList(one.getDeclaredConstructors()));
            }
            all.addAll(Arrays.asList(one.getDeclaredMethods()));
        }
        for (Object object : pool) {
            all.addAll(Arrays.asList(object.getClass().getMethods()));
        }
        all.removeIf(one -> Modifier.isPrivate(one.getModifiers()) || one.isSynthetic() || one.getDeclaringClass() == Object.class
                || one.getDeclaringClass() == Enum.class || one.getDeclaringClass().isAnonymousClass() && one instanceof Constructor);
        if (all.isEmpty()) {
            return;
        }
        all.sort((one, other) -> one.toString().compareTo(other.toString()));
        Executable chosen = all.get(random.nextInt(all.size()));
        Object receiver = null;
        if (!Modifier.isStatic(chosen.getModifiers()) && chosen instanceof Method) {
            List<Object> fitting = pool.stream().filter(chosen.getDeclaringClass()::isInstance).toList();
            if (fitting.isEmpty()) {
                return;
            }
            receiver = fitting.get(random.nextInt(fitting.size()));
        }
        Object[] arguments = new Object[chosen.getParameterCount()];
        for (int at = 0; at < arguments.length; at++) {
            arguments[at] = argument(chosen.getParameterTypes()[at], pool);
        }
        chosen.setAccessible(true);
        boolean interrupts = random.nextInt(10) == 0;
        if (interrupts) {
            Thread.currentThread().interrupt();
        }
        calls.append(interrupts ? "interrupted " : "").append(chosen.getName()).append(Arrays.toString(arguments)).append("; ");
        try {
            Object result = chosen instanceof Method method ? method.invoke(receiver, arguments)
                    : ((Constructor<?>) chosen).newInstance(arguments);
            if (result != null && result.getClass().getClassLoader() != null) {
                pool.add(result);
            }
        } catch (InvocationTargetException failure) {
            // What it did until then remains.
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        } finally {
            Thread.interrupted();
        }
    }

    private Object argument(Class<?> type, List<Object> pool) {
        if (type == boolean.class) {
            return random.nextBoolean();
        } else if (type == String.class) {
            String[] texts = {null, "", "a", "abc", "12345", "a".repeat(100)};
            return texts[random.nextInt(texts.length)];
        } else if (type.isPrimitive()) {
            long[] numbers = {0, 1, 2, 3, 4, 5, 7, -1, 10, 31, 77, 100, 1000, Integer.MAX_VALUE, Integer.MIN_VALUE};
            return Values.number(type, numbers[random.nextInt(numbers.length)]);
        } else if (type == int[].class) {
            return random.nextInt(4) == 0 ? null : new int[random.nextInt(4)];
        } else if (type == Object.class) {
            return random.nextInt(3) == 0 ? null : "a";
        }
        List<Object> fitting = pool.stream().filter(type::isInstance).toList();
        return fitting.isEmpty() || random.nextInt(4) == 0 ? null : fitting.get(random.nextInt(fitting.size()));
    }

    /** All structures within the scope: the number, how many of them the invariant accepts, and the structures in a file. */
    void build() throws Exception {
        int scope = number;
        ClassLoader loader = Values.loader(folder.resolve("plain"));
        Class<?> root = Class.forName(name, true, loader);
        Heaps.Statics statics = new Heaps.Statics(Values.classes(folder.resolve("plain"), name, loader));
        List<Object[]> makers = new ArrayList<>();
        List<Object[]> changes = new ArrayList<>();
        List<Executable> all = new ArrayList<>(Arrays.asList(root.getDeclaredConstructors()));
        all.addAll(Arrays.asList(root.getDeclaredMethods()));
        for (Executable one : all) {
            if (!Modifier.isPublic(one.getModifiers()) || one.isSynthetic()) {
                continue;
            }
            if (one instanceof Method && (Modifier.isStatic(one.getModifiers()) || !((Method) one).getReturnType().isPrimitive())
                    || Arrays.stream(one.getParameterTypes()).anyMatch(type -> type != int.class && type != boolean.class)) {
                Judge.say("large");
                return;
            }
            one.setAccessible(true);
            for (Object[] tuple : tuples(one.getParameterTypes(), scope)) {
                (one instanceof Constructor ? makers : changes).add(new Object[] {one, tuple});
            }
        }
        Method invariant = Arrays.stream(root.getDeclaredMethods()).filter(one -> one.getName().equals("repOK")).findFirst().orElse(null);
        Map<String, List<Object[]>> found = new LinkedHashMap<>();
        List<List<Object[]>> open = new ArrayList<>();
        makers.forEach(one -> open.add(List.of(new Object[][] {one})));
        while (!open.isEmpty()) {
            List<Object[]> calls = open.remove(open.size() - 1);
            statics.reset();
            Object object = made(calls);
            if (object == null || isTooLarge(object, scope)) {
                continue;
            }
            if (found.putIfAbsent(Values.json(object), calls) == null) {
                if (found.size() > MOST_STRUCTURES) {
                    Judge.say("large");
                    return;
                }
                for (Object[] change : changes) {
                    List<Object[]> longer = new ArrayList<>(calls);
                    longer.add(change);
                    open.add(longer);
                }
            }
        }
        int accepted = 0;
        try (PrintStream to = new PrintStream(Files.newOutputStream(folder.resolve("built.jsonl")), false, "UTF-8")) {
            for (Map.Entry<String, List<Object[]>> one : found.entrySet()) {
                to.println(one.getKey());
                if (invariant != null) {
                    invariant.setAccessible(true);
                    statics.reset();
                    accepted += holds(invariant, made(one.getValue())) ? 1 : 0;
                }
            }
        }
        Judge.say("built", found.size(), invariant == null ? "none" : accepted);
    }

    private static boolean holds(Method invariant, Object object) throws IllegalAccessException {
        try {
            return (Boolean) invariant.invoke(object);
        } catch (InvocationTargetException failure) {
            return false;
        }
    }

    /** The object of some calls, or null if the last of them throws. */
    private static Object made(List<Object[]> calls) throws ReflectiveOperationException {
        Object object = null;
        try {
            for (Object[] call : calls) {
                H.start();
                if (call[0] instanceof Constructor<?> constructor) {
                    object = constructor.newInstance((Object[]) call[1]);
                } else {
                    ((Method) call[0]).invoke(object, (Object[]) call[1]);
                }
            }
        } catch (InvocationTargetException failure) {
            return null;
        }
        return object;
    }

    private static boolean isTooLarge(Object object, int scope) throws IllegalAccessException {
        String[] parts = Values.json(object).split("\"class\":\"");
        Map<String, Integer> counts = new LinkedHashMap<>();
        for (String part : parts) {
            if (part.contains("\"fields\"")) {
                counts.merge(part.substring(0, part.indexOf('"')), 1, Integer::sum);
            }
        }
        return counts.values().stream().anyMatch(count -> count > scope);
    }

    private static List<Object[]> tuples(Class<?>[] types, int scope) {
        List<Object[]> all = new ArrayList<>();
        all.add(new Object[0]);
        for (Class<?> type : types) {
            List<Object[]> longer = new ArrayList<>();
            for (Object[] begun : all) {
                for (int value = 0; value < (type == boolean.class ? 2 : scope); value++) {
                    Object[] one = Arrays.copyOf(begun, begun.length + 1);
                    one[begun.length] = Values.number(type, value);
                    longer.add(one);
                }
            }
            all = longer;
        }
        return all;
    }
}
