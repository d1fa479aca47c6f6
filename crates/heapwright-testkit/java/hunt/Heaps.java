package judge;

import java.io.IOException;
import java.io.PrintStream;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;

/**
 * Makes every heap within the bounds of a scope, asks the invariant, and calls every public method on those that it
 * accepts, with every argument.
 *
 * <p>A heap is a list of choices. Objects have numbers in the order in which a fixed traversal first comes to them, so
 * that of isomorphic heaps only one is made.
 */
final class Heaps {
    /** Largest number of heaps, and of calls, of a case. */
    private static final int MOST = 60_000;

    private final Path folder;
    private final int scope;
    private final Class<?> root;
    private final List<Class<?>> concrete = new ArrayList<>();
    private final Set<Class<?>> referred = new HashSet<>();

    /** Constants of the program's enums. */
    private final List<Object> constants = new ArrayList<>();

    private final Method invariant;
    private final Statics statics;

    private int[] chosen = new int[16];
    private int[] sizes = new int[16];
    private int depth;
    private int known;

    /** Objects of the heap that is made, in the order of their numbers. */
    private final List<Object> objects = new ArrayList<>();

    private final Deque<Object> open = new ArrayDeque<>();

    Heaps(Path folder, String name, int scope) throws ReflectiveOperationException, IOException {
        this.folder = folder;
        this.scope = scope;
        Path classes = folder.resolve("plain");
        ClassLoader loader = Values.loader(classes);
        root = Class.forName(name, true, loader);
        for (Class<?> one : Values.classes(classes, name, loader)) {
            if (Values.isConcrete(one)) {
                concrete.add(one);
            }
            if (one.isEnum()) {
                constants.addAll(List.of(one.getEnumConstants()));
            }
        }
        refer(root);
        Method found = null;
        try {
            found = root.getDeclaredMethod("repOK");
            found.setAccessible(true);
        } catch (NoSuchMethodException failure) {
            Judge.say("error", "no invariant");
        }
        invariant = found;
        statics = new Statics(Values.classes(classes, name, loader));
    }

    /** Notes the classes whose objects fields of a class can refer to. */
    private void refer(Class<?> holder) {
        for (Field field : Values.fields(holder)) {
            Class<?> type = field.getType();
            while (type.isArray()) {
                type = type.getComponentType();
            }
            for (Class<?> one : concrete) {
                if (type != Object.class && type.isAssignableFrom(one) && type.getClassLoader() != null && referred.add(one)) {
                    refer(one);
                }
            }
        }
    }

    void answer() throws Exception {
        List<int[]> valid = new ArrayList<>();
        boolean changes = false;
        int made = 0;
        try (PrintStream to = new PrintStream(Files.newOutputStream(folder.resolve("brute.jsonl")), false, "UTF-8")) {
            known = 0;
            do {
                if (++made > MOST) {
                    Judge.say("large");
                    return;
                }
                Object heap = make();
                int[] choices = Arrays.copyOf(chosen, depth);
                String before = Values.json(heap);
                statics.reset();
                boolean holds = holds(heap) == null;
                if (holds) {
                    // An invariant that leaves a change behind has structures of its own.
                    changes |= !before.equals(Values.json(heap));
                    valid.add(choices);
                    to.println(before);
                }
            } while (next());
        }
        Judge.say("heaps", made, valid.size(), changes ? "changes" : "keeps");
        int calls = 0;
        for (Method method : methods()) {
            List<Object[]> failures = new ArrayList<>();
            int rejected = 0;
            int ofMethod = 0;
            for (int[] choices : valid) {
                List<Object[]> tuples = arguments(method, again(choices));
                for (int tuple = 0; tuple < tuples.size(); tuple++) {
                    if (++calls > MOST) {
                        Judge.say("large");
                        return;
                    }
                    ofMethod++;
                    Object heap = again(choices);
                    String before = failures.isEmpty() ? Values.json(heap) : "";
                    String failure = call(method, heap, arguments(method, heap).get(tuple));
                    if (failure.equals("rejected")) {
                        rejected++;
                    } else if (!failure.isEmpty()) {
                        failures.add(new Object[] {failure, before});
                    }
                }
            }
            String first = failures.isEmpty() ? "" : failures.get(0)[0] + " on " + failures.get(0)[1];
            Judge.say("call", signature(method), ofMethod, rejected, failures.size(), first);
        }
    }

    /** Why the invariant does not hold, or null. */
    private String holds(Object heap) throws IllegalAccessException {
        try {
            return (Boolean) invariant.invoke(heap) ? null : "breaks-invariant";
        } catch (InvocationTargetException failure) {
            return "invariant-throws " + failure.getCause().getClass().getName();
        }
    }

    /** How a call fails; "rejected" if the method refuses it, nothing if it is in order. */
    private String call(Method method, Object heap, Object[] arguments) throws IllegalAccessException {
        statics.reset();
        String outcome = "";
        try {
            method.invoke(heap, arguments);
        } catch (InvocationTargetException failure) {
            Throwable thrown = failure.getCause();
            if (!isExpected(thrown, method, arguments)) {
                return "throws " + thrown.getClass().getName();
            }
            outcome = "rejected";
        }
        String broken = holds(heap);
        return broken == null ? outcome : broken;
    }

    private static boolean isExpected(Throwable thrown, Method method, Object[] arguments) {
        boolean hasNull = Arrays.asList(arguments).contains(null);
        boolean hasInteger = Arrays.stream(arguments).anyMatch(one -> one instanceof Integer || one instanceof Long);
        return thrown instanceof IllegalArgumentException
                || thrown instanceof IllegalStateException
                || thrown instanceof NoSuchElementException
                || thrown instanceof UnsupportedOperationException
                || thrown instanceof NullPointerException && hasNull
                || thrown.getClass() == IndexOutOfBoundsException.class && hasInteger
                || Arrays.stream(method.getExceptionTypes()).anyMatch(type -> type.isInstance(thrown));
    }

    /** Public instance methods of the class, with parameters whose values are known. */
    private List<Method> methods() {
        List<Method> found = new ArrayList<>();
        for (Method method : root.getDeclaredMethods()) {
            int modifiers = method.getModifiers();
            if (Modifier.isPublic(modifiers) && !Modifier.isStatic(modifiers) && !method.isSynthetic()
                    && !method.equals(invariant)) {
                method.setAccessible(true);
                found.add(method);
            }
        }
        return found;
    }

    private static String signature(Method method) {
        List<String> types = Arrays.stream(method.getParameterTypes()).map(Class::getTypeName).toList();
        return method.getName() + "(" + String.join(",", types) + ")";
    }

    /** All arguments of a method on the heap made last. */
    private List<Object[]> arguments(Method method, Object heap) {
        List<Object[]> all = new ArrayList<>();
        all.add(new Object[0]);
        for (Class<?> type : method.getParameterTypes()) {
            List<Object> values = new ArrayList<>();
            if (type == boolean.class) {
                values.addAll(List.of(false, true));
            } else if (type.isPrimitive()) {
                boolean isNumber = has(type) || has(int.class);
                for (int value = 0; value < (isNumber ? scope : 2); value++) {
                    values.add(Values.number(type, value));
                }
            } else if (type == String.class) {
                values.addAll(Arrays.asList(null, "", "a", "b"));
            } else if (type.isEnum()) {
                values.add(null);
                values.addAll(Arrays.asList(type.getEnumConstants()));
            } else {
                values.add(null);
                objects.stream().filter(type::isInstance).forEach(values::add);
                constants.stream().filter(type::isInstance).forEach(values::add);
            }
            List<Object[]> longer = new ArrayList<>();
            for (Object[] begun : all) {
                for (Object value : values) {
                    Object[] one = Arrays.copyOf(begun, begun.length + 1);
                    one[begun.length] = value;
                    longer.add(one);
                }
            }
            all = longer;
        }
        return all;
    }

    /** Whether a field of any class within the bounds, or an element, has a type. */
    private boolean has(Class<?> type) {
        Set<Class<?>> holders = new HashSet<>(referred);
        holders.add(root);
        return holders.stream().flatMap(holder -> Values.fields(holder).stream()).anyMatch(field -> {
            Class<?> held = field.getType();
            while (held.isArray()) {
                held = held.getComponentType();
            }
            return held == type;
        });
    }

    private Object again(int[] choices) throws InstantiationException {
        chosen = Arrays.copyOf(choices, Math.max(16, choices.length));
        known = choices.length;
        return make();
    }

    /** Makes the heap of the choices, and of the first ones after those that are known. */
    private Object make() throws InstantiationException {
        depth = 0;
        objects.clear();
        open.clear();
        Object heap = create(root);
        while (!open.isEmpty()) {
            Object object = open.remove();
            for (Field field : Values.fields(object.getClass())) {
                Values.put(object, field, value(field.getType()));
            }
        }
        return heap;
    }

    private Object create(Class<?> type) throws InstantiationException {
        Object object = Values.UNSAFE.allocateInstance(type);
        objects.add(object);
        open.add(object);
        return object;
    }

    private Object value(Class<?> type) throws InstantiationException {
        if (type == boolean.class) {
            return choose(2) == 1;
        } else if (type == char.class) {
            return (char) ('a' + choose(scope));
        } else if (type.isPrimitive()) {
            return Values.number(type, choose(scope));
        } else if (type.isArray()) {
            Object array = Array.newInstance(type.getComponentType(), choose(scope + 1));
            for (int at = 0; at < Array.getLength(array); at++) {
                Array.set(array, at, value(type.getComponentType()));
            }
            return array;
        } else if (type == String.class) {
            int which = choose(scope + 1);
            return which == 0 ? null : which == 1 ? "" : String.valueOf((char) ('a' + which - 2));
        } else if (type.isEnum()) {
            int which = choose(type.getEnumConstants().length + 1);
            return which == 0 ? null : type.getEnumConstants()[which - 1];
        } else if (type == Boolean.class || type == Character.class || Number.class.isAssignableFrom(type)
                && type.getName().startsWith("java.lang.") || type == Object.class || type == Comparable.class) {
            int which = choose(type == Boolean.class ? 3 : scope + 1);
            return which == 0 ? null : Values.number(type, which - 1);
        } else if (type.getClassLoader() == null) {
            return null;
        }
        List<Object> there = objects.stream().filter(type::isInstance).toList();
        List<Class<?>> fresh = new ArrayList<>();
        for (Class<?> one : concrete) {
            int most = referred.contains(one) ? scope : 1;
            if (type.isAssignableFrom(one) && objects.stream().filter(object -> object.getClass() == one).count() < most) {
                fresh.add(one);
            }
        }
        List<Object> constants = this.constants.stream().filter(type::isInstance).toList();
        int which = choose(1 + constants.size() + there.size() + fresh.size());
        if (which == 0) {
            return null;
        }
        int at = which - 1 - constants.size();
        if (at < 0) {
            return constants.get(which - 1);
        }
        return at < there.size() ? there.get(at) : create(fresh.get(at - there.size()));
    }

    private int choose(int from) {
        if (depth == chosen.length) {
            chosen = Arrays.copyOf(chosen, 2 * depth);
        }
        if (sizes.length < chosen.length) {
            sizes = Arrays.copyOf(sizes, chosen.length);
        }
        if (depth >= known) {
            chosen[depth] = 0;
            known = depth + 1;
        }
        sizes[depth] = from;
        return chosen[depth++];
    }

    /** Goes on to the choices of the next heap, if there is one. */
    private boolean next() {
        for (known = depth; known > 0; known--) {
            if (++chosen[known - 1] < sizes[known - 1]) {
                return true;
            }
        }
        return false;
    }

    /** Static fields as class initialisers leave them. */
    static final class Statics {
        private final Map<Field, Object> initial = new LinkedHashMap<>();

        Statics(List<Class<?>> classes) throws ReflectiveOperationException {
            for (Class<?> one : classes) {
                for (Field field : one.getDeclaredFields()) {
                    if (Modifier.isStatic(field.getModifiers()) && !field.isSynthetic() && !field.isEnumConstant()
                            && one.getName().indexOf('$') < 0) {
                        field.setAccessible(true);
                        initial.put(field, copy(field.get(null)));
                    }
                }
            }
        }

        void reset() throws IllegalAccessException {
            for (Map.Entry<Field, Object> one : initial.entrySet()) {
                Field field = one.getKey();
                Object value = one.getValue();
                if (value != null && value.getClass().isArray()) {
                    Object array = field.get(null);
                    if (array != null && Array.getLength(array) == Array.getLength(value)) {
                        System.arraycopy(value, 0, array, 0, Array.getLength(value));
                        continue;
                    }
                    value = copy(value);
                }
                if (!Modifier.isFinal(field.getModifiers())) {
                    field.set(null, value);
                }
            }
        }

        private static Object copy(Object value) {
            if (value == null || !value.getClass().isArray()) {
                return value;
            }
            Object copy = Array.newInstance(value.getClass().getComponentType(), Array.getLength(value));
            System.arraycopy(value, 0, copy, 0, Array.getLength(value));
            return copy;
        }
    }
}
