package judge;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Proxy;
import java.lang.reflect.Type;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

/**
 * Calls methods with boundary and random inputs, first each in classes that were just loaded, then all in random order
 * on the static state that they leave.
 */
@SuppressWarnings("removal")
final class Inputs {
    /** Properties of a run; what was seen is told with a bit for each set of properties with which it was. */
    private static final int USED = 1;

    private static final int LONG = 2;
    private static final int OUTSIDE = 4;
    private static final int UNKNOWN = 8;

    /** Whether there is memory for strings of more than a gigabyte, which are all that is tried then. */
    private static final boolean IS_LARGE = Runtime.getRuntime().maxMemory() > 4L << 30;

    /** Most objects of a class that searches create where nothing is said. */
    private static final int SCOPE = 3;

    private static final int FRESH_RUNS = 16;
    private static final int USED_RUNS = 1_200;
    private static final int MOST_CALLBACKS = 20;

    private static final long[] NUMBERS = {
        0, 1, -1, 2, -2, 3, 4, 5, 7, 8, 10, 13, 16, 31, 32, 33, 42, 63, 64, 99, 100, 127, 128, -128, -129, 255, 256, 1000, 32767,
        32768, -32768, 40_000, 46_340, 46_341, 53_688, 65_535, 65_536, 70_000, 1L << 30, Integer.MAX_VALUE,
        Integer.MAX_VALUE - 1, Integer.MIN_VALUE, Integer.MIN_VALUE + 1, 1L << 31, 1L << 32, Long.MAX_VALUE, Long.MIN_VALUE,
    };
    private static final double[] REALS = {
        0, -0.0, 1, -1, 0.5, 1.5, -2.5, 3, 10, 100, 1e9, 2147483648.0, 9007199254740993.0, 1e20, 1e300, -1e300, Double.MIN_VALUE,
        Float.MAX_VALUE, Double.NaN, Double.POSITIVE_INFINITY, Double.NEGATIVE_INFINITY,
    };
    private static final String[] TEXTS = {
        "", "a", "b", "x", "A", "ab", "aa", "abc", "1", "-1", "42", " ", "\0", "\n", "é", "ß", "İ", "ı", "TITLE", "\u20ac", "\ud83d\ude00", "\ud83d",
    };

    private static String huge;

    private final Path folder;
    private final String name;
    private final Random random;

    /** What was seen, each with the sets of properties with which it was, and an input. */
    private final Map<String, Integer> seen = new TreeMap<>();

    private final Map<String, String> examples = new HashMap<>();
    private int outside;
    private int callbacks;
    /** Number of uses of a string of more than a gigabyte that are left to a case. */
    private int hugeLeft;

    private boolean mayBeHuge;
    private ClassLoader loader;
    private Class<?> root;
    private List<Class<?>> classes;
    private List<Method> methods;

    Inputs(Path folder, String name, long seed) {
        this.folder = folder;
        this.name = name;
        random = new Random(seed);
    }

    void answer() throws Exception {
        load();
        hugeLeft = IS_LARGE ? 12 : 0;
        if (IS_LARGE) {
            methods.removeIf(method -> !method.getName().startsWith("huge"));
        }
        List<String> names = methods.stream().map(Method::toString).toList();
        int runs = 0;
        for (String one : names) {
            for (int run = 0; run < (one.contains("slow") ? 3 : FRESH_RUNS); run++) {
                load();
                run(methods.stream().filter(method -> method.toString().equals(one)).findFirst().orElseThrow(), 0);
                runs++;
            }
        }
        load();
        boolean isUsed = !hasNoState();
        for (int run = 0; run < USED_RUNS * methods.size() && !IS_LARGE; run++) {
            if (isUsed && random.nextInt(400) == 0) {
                load();
            }
            Method method = methods.get(random.nextInt(methods.size()));
            if (!method.getName().startsWith("slow") || random.nextInt(100) == 0) {
                run(method, isUsed ? USED : 0);
            }
            runs++;
        }
        seen.forEach((what, how) -> Judge.say("seen", how, what, examples.get(what)));
        Judge.say("runs", runs);
    }

    /** Loads the classes again: static state is that of class initialisers. */
    private void load() throws ReflectiveOperationException, IOException {
        Path twin = folder.resolve("twin");
        loader = Values.loader(twin);
        root = Class.forName(name, true, loader);
        classes = Values.classes(twin, name, loader);
        methods = new ArrayList<>();
        for (Method method : root.getDeclaredMethods()) {
            if (!method.isSynthetic() && !Modifier.isPrivate(method.getModifiers()) && !Modifier.isAbstract(method.getModifiers())) {
                method.setAccessible(true);
                methods.add(method);
            }
        }
        methods.sort((one, other) -> one.toString().compareTo(other.toString()));
    }

    private boolean hasNoState() {
        return classes.stream().flatMap(one -> Arrays.stream(one.getDeclaredFields()))
                .noneMatch(field -> Modifier.isStatic(field.getModifiers()) && !field.isSynthetic());
    }

    private void run(Method method, int properties) throws IllegalAccessException {
        outside = properties;
        callbacks = 0;
        Set<Object> pool = new HashSet<>();
        List<Object> made = new ArrayList<>();
        Object receiver = Modifier.isStatic(method.getModifiers()) ? null : object(root, made, 0);
        mayBeHuge = method.getName().startsWith("huge");
        Type[] generic = method.getGenericParameterTypes();
        Object[] arguments = new Object[generic.length];
        for (int at = 0; at < arguments.length; at++) {
            arguments[at] = value(method.getParameterTypes()[at], generic[at], made, 0);
        }
        // Before the call, which may change them.
        String input = shown(receiver, arguments);
        H.start();
        String outcome;
        try {
            Object result = method.invoke(receiver, arguments);
            outcome = "returns " + (result == null && method.getReturnType() == void.class ? "" : text(result));
        } catch (InvocationTargetException failure) {
            Throwable thrown = failure.getCause();
            if (thrown instanceof H.Endless || thrown instanceof VirtualMachineError && !(thrown instanceof StackOverflowError)) {
                return;
            }
            outcome = "throws " + thrown.getClass().getName();
        }
        see("outcome " + method.getName() + " " + outcome, input);
        for (int line = H.LINES.nextSetBit(0); line >= 0; line = H.LINES.nextSetBit(line + 1)) {
            see("line " + line, input);
        }
    }

    private void see(String what, String input) {
        Integer before = seen.get(what);
        int bit = 1 << outside;
        if (before == null || (before & bit) == 0) {
            seen.merge(what, bit, (one, other) -> one | other);
            String example = examples.get(what);
            if (example == null || before != null && bit < Integer.lowestOneBit(before)) {
                examples.put(what, input);
            }
        }
    }

    private Object value(Class<?> type, Type generic, List<Object> made, int depth) throws IllegalAccessException {
        if (!type.isPrimitive() && random.nextInt(4) == 0) {
            List<Object> fitting = made.stream().filter(type::isInstance).toList();
            if (!fitting.isEmpty()) {
                Object again = fitting.get(random.nextInt(fitting.size()));
                outside |= isNamed(type, again) ? 0 : OUTSIDE;
                return again;
            }
        }
        if (!type.isPrimitive() && random.nextInt(8) == 0) {
            return null;
        }
        Object value = fresh(type, generic, made, depth);
        if (value != null && !type.isPrimitive()) {
            made.add(value);
        }
        return value;
    }

    private Object fresh(Class<?> type, Type generic, List<Object> made, int depth) throws IllegalAccessException {
        if (type == float.class || type == double.class || type == Float.class || type == Double.class) {
            double real = random.nextInt(4) == 0 ? random.nextInt(200) / 8.0 : REALS[random.nextInt(REALS.length)];
            return type == float.class || type == Float.class ? (Object) (float) real : (Object) real;
        } else if (type.isPrimitive()) {
            return Values.number(type, number());
        } else if (type == Boolean.class) {
            return switch (random.nextInt(4)) {
                case 0 -> new Boolean(true);
                case 1 -> new Boolean(false);
                default -> random.nextBoolean();
            };
        } else if (type == Integer.class || type == Long.class || type == Short.class || type == Byte.class
                || type == Character.class) {
            return random.nextInt(3) == 0 && type == Integer.class ? new Integer((int) number()) : Values.number(type, number());
        } else if (type == String.class || type == CharSequence.class) {
            return string();
        } else if (type.isArray()) {
            int length = random.nextInt(40) == 0 ? 4 + random.nextInt(100_000) : random.nextInt(4);
            outside |= length > 65_535 ? LONG | OUTSIDE : length > 3 ? OUTSIDE : 0;
            Class<?> element = type.getComponentType();
            Object array = Array.newInstance(element, length);
            for (int at = 0; at < Math.min(length, 8); at++) {
                Array.set(array, at, value(element, element, made, depth + 1));
            }
            return array;
        } else if (type.isEnum()) {
            Object[] constants = type.getEnumConstants();
            return constants[random.nextInt(constants.length)];
        } else if (type == Object.class || type == Number.class || type == Comparable.class) {
            Class<?>[] some = {Integer.class, Integer.class, String.class, Double.class, int[].class};
            Class<?> one = some[random.nextInt(some.length)];
            outside |= one != Integer.class || type == Object.class ? OUTSIDE : 0;
            return type.isAssignableFrom(one) ? fresh(one, one, made, depth) : number();
        } else if (type.isInterface() && type.getName().startsWith("java.util.function") || type == Runnable.class
                || type == java.util.Comparator.class) {
            outside |= OUTSIDE;
            return callback(type, generic);
        } else if (type.getClassLoader() != null) {
            return object(type, made, depth);
        }
        return null;
    }

    private long number() {
        return switch (random.nextInt(5)) {
            case 0, 1 -> random.nextInt(8) - 2;
            case 2, 3 -> NUMBERS[random.nextInt(NUMBERS.length)];
            default -> random.nextLong() >> random.nextInt(64);
        };
    }

    private String string() {
        if (mayBeHuge && hugeLeft > 0 && random.nextInt(4) == 0) {
            hugeLeft--;
            outside |= LONG | OUTSIDE;
            huge = huge == null ? "a".repeat(1_200_000_000) : huge;
            return huge;
        }
        if (random.nextInt(12) == 0) {
            int length = new int[] {4, 5, 10, 100, 53_688, 65_535, 65_536, 65_537, 70_000, 140_000}[random.nextInt(10)];
            outside |= length > 65_535 ? LONG | OUTSIDE : OUTSIDE;
            return (random.nextBoolean() ? "a" : "\u20ac").repeat(length);
        }
        String text = TEXTS[random.nextInt(TEXTS.length)];
        outside |= text.length() > 3 || text.chars().anyMatch(one -> one > 255) ? OUTSIDE : 0;
        return random.nextBoolean() ? text : new String(text);
    }

    /** Whether an object is of a class that searches create for a type without saying that they leave others out. */
    private static boolean isNamed(Class<?> type, Object object) {
        if (type == Number.class || type == Comparable.class) {
            return object instanceof Integer;
        }
        return type != Object.class && (!type.isArray() || object.getClass() == type);
    }

    /** Whether only the judge has a class. */
    private static boolean isUnknown(Class<?> type) {
        return type.getSimpleName().equals("BX");
    }

    /** An object without a constructor, whose fields have any values. */
    private Object object(Class<?> type, List<Object> made, int depth) throws IllegalAccessException {
        List<Class<?>> fitting = classes.stream().filter(one -> Values.isConcrete(one) && type.isAssignableFrom(one)).toList();
        if (fitting.isEmpty() || depth > 4) {
            return null;
        }
        Class<?> chosen = type == root ? root : fitting.get(random.nextInt(fitting.size()));
        outside |= isUnknown(chosen) ? UNKNOWN : 0;
        Object object;
        try {
            object = Values.UNSAFE.allocateInstance(chosen);
        } catch (InstantiationException failure) {
            return null;
        }
        made.add(object);
        outside |= made.stream().filter(one -> one.getClass() == chosen).count() > SCOPE ? OUTSIDE : 0;
        for (Field field : Values.fields(chosen)) {
            Values.put(object, field, value(field.getType(), field.getGenericType(), made, depth + 1));
        }
        return object;
    }

    /** A lambda of unknown code: it may call the methods of the class, throw, and return anything. */
    private Object callback(Class<?> type, Type generic) {
        Class<?> result = result(type, generic);
        return Proxy.newProxyInstance(loader, new Class<?>[] {type}, (proxy, method, arguments) -> {
            if (method.getDeclaringClass() == Object.class) {
                return switch (method.getName()) {
                    case "hashCode" -> System.identityHashCode(proxy);
                    case "equals" -> proxy == arguments[0];
                    default -> "callback";
                };
            }
            if (method.isDefault()) {
                return java.lang.reflect.InvocationHandler.invokeDefault(proxy, method, arguments);
            }
            if (++callbacks > MOST_CALLBACKS) {
                throw new IllegalStateException();
            }
            if (random.nextInt(6) == 0) {
                throw new IllegalStateException();
            }
            if (random.nextInt(3) == 0) {
                Method other = methods.get(random.nextInt(methods.size()));
                if (Modifier.isStatic(other.getModifiers()) && other.getParameterCount() == 0) {
                    try {
                        other.invoke(null);
                    } catch (InvocationTargetException failure) {
                        if (failure.getCause() instanceof H.Endless endless) {
                            throw endless;
                        }
                    }
                }
            }
            Class<?> wanted = method.getReturnType() == Object.class ? result : method.getReturnType();
            return wanted == void.class ? null : value(wanted, wanted, new ArrayList<>(), 3);
        });
    }

    /** What a functional interface returns, by its type arguments. */
    private static Class<?> result(Class<?> type, Type generic) {
        if (generic instanceof ParameterizedType parameterized) {
            Type[] all = parameterized.getActualTypeArguments();
            if (all[all.length - 1] instanceof Class<?> last) {
                return last;
            }
        }
        return Integer.class;
    }

    private static String shown(Object receiver, Object[] arguments) {
        StringBuilder text = new StringBuilder(receiver == null ? "(" : text(receiver) + ".(");
        for (int at = 0; at < arguments.length; at++) {
            text.append(at == 0 ? "" : ", ").append(text(arguments[at]));
        }
        return text.append(')').toString();
    }

    private static String text(Object value) {
        if (value instanceof String string) {
            return string.length() > 12 ? "a string of " + string.length() : '"' + string + '"';
        } else if (value == null || value.getClass().getClassLoader() == null && !value.getClass().isArray()) {
            return String.valueOf(value);
        } else if (value instanceof Object[] array) {
            return array.length > 8 ? "an array of " + array.length : "[" + String.join(", ", Arrays.stream(array).map(Inputs::element).toList()) + "]";
        } else if (value.getClass().isArray()) {
            List<String> elements = new ArrayList<>();
            for (int at = 0; at < Array.getLength(value) && at < 8; at++) {
                elements.add(String.valueOf(Array.get(value, at)));
            }
            return "[" + String.join(", ", elements) + (Array.getLength(value) > 8 ? ", of " + Array.getLength(value) : "") + "]";
        } else if (value instanceof Enum<?> constant) {
            return constant.name();
        } else if (value instanceof Proxy) {
            return "a callback";
        }
        return element(value);
    }

    private static String element(Object value) {
        return value == null || value.getClass().getClassLoader() == null && !value.getClass().isArray() ? String.valueOf(value) : "a " + value.getClass().getSimpleName();
    }
}
