package judge;

import java.io.IOException;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.Modifier;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import jdk.internal.misc.Unsafe;

/** Classes of a case, and objects of them without a constructor. */
final class Values {
    static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** Integral types, the narrowest first. */
    static final List<Class<?>> INTEGRAL = List.of(byte.class, short.class, int.class, long.class);

    private Values() {}

    static ClassLoader loader(Path folder) throws MalformedURLException {
        return new URLClassLoader(new URL[] {folder.toUri().toURL()}, Values.class.getClassLoader());
    }

    /** All classes of the package, sorted by their names. */
    static List<Class<?>> classes(Path folder, String name, ClassLoader loader) throws IOException {
        String inPackage = name.substring(0, name.indexOf('.'));
        List<Class<?>> found = new ArrayList<>();
        try (var files = Files.list(folder.resolve(inPackage))) {
            for (Path file : files.sorted().toList()) {
                String simple = file.getFileName().toString();
                if (simple.endsWith(".class")) {
                    String binary = inPackage + "." + simple.substring(0, simple.length() - ".class".length());
                    found.add(Class.forName(binary, false, loader));
                }
            }
        } catch (ClassNotFoundException failure) {
            throw new IOException(failure);
        }
        return found;
    }

    static boolean isConcrete(Class<?> one) {
        return !Modifier.isAbstract(one.getModifiers()) && !one.isInterface() && !one.isEnum() && !one.isAnonymousClass()
                && !(one.getSuperclass() != null && one.getSuperclass().isEnum());
    }

    private static final ClassValue<List<Field>> FIELDS = new ClassValue<>() {
        @Override
        protected List<Field> computeValue(Class<?> one) {
            return declared(one);
        }
    };

    /** Instance fields that the source declares, inherited ones of the program first. */
    static List<Field> fields(Class<?> one) {
        return FIELDS.get(one);
    }

    private static List<Field> declared(Class<?> one) {
        List<Field> all = new ArrayList<>();
        if (one.getSuperclass() != null && one.getSuperclass().getClassLoader() == one.getClassLoader()) {
            all.addAll(fields(one.getSuperclass()));
        }
        for (Field field : one.getDeclaredFields()) {
            if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                field.trySetAccessible();
                all.add(field);
            }
        }
        return all;
    }

    static void put(Object object, Field field, Object value) {
        long at = UNSAFE.objectFieldOffset(field);
        Class<?> type = field.getType();
        if (!type.isPrimitive()) {
            UNSAFE.putReference(object, at, value);
        } else if (type == boolean.class) {
            UNSAFE.putBoolean(object, at, (Boolean) value);
        } else if (type == char.class) {
            UNSAFE.putChar(object, at, (Character) value);
        } else if (type == byte.class) {
            UNSAFE.putByte(object, at, (Byte) value);
        } else if (type == short.class) {
            UNSAFE.putShort(object, at, (Short) value);
        } else if (type == int.class) {
            UNSAFE.putInt(object, at, (Integer) value);
        } else if (type == long.class) {
            UNSAFE.putLong(object, at, (Long) value);
        } else if (type == float.class) {
            UNSAFE.putFloat(object, at, (Float) value);
        } else {
            UNSAFE.putDouble(object, at, (Double) value);
        }
    }

    static Object get(Object object, Field field) throws IllegalAccessException {
        return field.get(object);
    }

    /** A number as a value of a primitive type or of its box. */
    static Object number(Class<?> type, long number) {
        if (type == boolean.class || type == Boolean.class) {
            return number != 0;
        } else if (type == char.class || type == Character.class) {
            return (char) number;
        } else if (type == byte.class || type == Byte.class) {
            return (byte) number;
        } else if (type == short.class || type == Short.class) {
            return (short) number;
        } else if (type == long.class || type == Long.class) {
            return number;
        } else if (type == float.class || type == Float.class) {
            return (float) number;
        } else if (type == double.class || type == Double.class) {
            return (double) number;
        }
        return (int) number;
    }

    /** A structure as a line of JSON, in the format of the program. */
    static String json(Object root) throws IllegalAccessException {
        Writer writer = new Writer();
        writer.reference(root, new StringBuilder());
        StringBuilder all = new StringBuilder("{\"objects\":[");
        List<String> objects = new ArrayList<>();
        while (!writer.open.isEmpty()) {
            objects.add(writer.object(writer.open.remove()));
        }
        return all.append(String.join(",", objects)).append("]}").toString();
    }

    private static final class Writer {
        final Map<Object, Integer> numbers = new IdentityHashMap<>();
        final Deque<Object> open = new ArrayDeque<>();
        int next;

        void reference(Object value, StringBuilder to) {
            if (value == null) {
                to.append("null");
                return;
            }
            // Strings and boxes are values: each of them is an object of its own.
            boolean isValue = value instanceof String || value instanceof Number || value instanceof Boolean
                    || value instanceof Character;
            Integer known = isValue ? null : numbers.get(value);
            if (known == null) {
                known = next++;
                open.add(value);
                if (!isValue) {
                    numbers.put(value, known);
                }
            }
            to.append("{\"ref\":").append(known).append('}');
        }

        String object(Object value) throws IllegalAccessException {
            Class<?> type = value.getClass();
            if (value instanceof Enum<?> constant) {
                type = constant.getDeclaringClass();
            }
            StringBuilder text = new StringBuilder("{\"class\":\"").append(type.getName()).append("\",");
            if (value instanceof Enum<?> constant) {
                text.append("\"constant\":\"").append(constant.name()).append('"');
            } else if (value instanceof String string) {
                text.append("\"value\":\"").append(string).append('"');
            } else if (type.isArray()) {
                text.append("\"elements\":[");
                for (int at = 0; at < Array.getLength(value); at++) {
                    text.append(at == 0 ? "" : ",");
                    element(type.getComponentType(), Array.get(value, at), text);
                }
                text.append(']');
            } else if (type.getClassLoader() == null) {
                text.append("\"value\":");
                primitive(value, text);
            } else {
                text.append("\"fields\":{");
                String separator = "";
                for (Field field : fields(type)) {
                    text.append(separator).append('"').append(field.getName()).append("\":");
                    element(field.getType(), get(value, field), text);
                    separator = ",";
                }
                text.append('}');
            }
            return text.append('}').toString();
        }

        private void element(Class<?> type, Object value, StringBuilder to) {
            if (type.isPrimitive()) {
                primitive(value, to);
            } else {
                reference(value, to);
            }
        }

        private static void primitive(Object value, StringBuilder to) {
            boolean isText = value instanceof Character
                    || value instanceof Double number && !Double.isFinite(number)
                    || value instanceof Float single && !Float.isFinite(single);
            String quote = isText ? "\"" : "";
            String text = value instanceof Character letter && letter < ' ' ? String.format("\\u%04x", (int) letter) : value.toString();
            to.append(quote).append(text).append(quote);
        }
    }
}
