import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.lang.reflect.Array;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.StringTokenizer;

/**
 * Calls methods with the inputs that standard input describes, a line each, and prints the outcome of
 * each call: {@code V}, {@code N}, {@code L:class}, {@code T:exception}, or a kind and bits.
 */
public final class Replay {
    private final StringTokenizer tokens;
    private Object[] objects;

    private Replay(String line) {
        tokens = new StringTokenizer(line);
    }

    public static void main(String[] arguments) throws Exception {
        BufferedReader reader = new BufferedReader(new InputStreamReader(System.in));
        for (String line = reader.readLine(); line != null; line = reader.readLine()) {
            System.out.println(new Replay(line).run());
        }
    }

    private String run() throws Exception {
        Class<?> owner = Class.forName(next());
        String name = next();
        String descriptor = next();
        readObjects();
        Object[] roots = new Object[Integer.parseInt(next())];
        for (int i = 0; i < roots.length; i++) {
            roots[i] = value();
        }
        for (Method method : owner.getDeclaredMethods()) {
            if (method.getName().equals(name) && descriptor(method).equals(descriptor)) {
                return call(method, roots);
            }
        }
        throw new NoSuchMethodException(owner + "." + name + descriptor);
    }

    private static String call(Method method, Object[] roots) throws Exception {
        method.setAccessible(true);
        boolean isStatic = Modifier.isStatic(method.getModifiers());
        Object receiver = isStatic ? null : roots[0];
        int first = isStatic ? 0 : 1;
        Object[] arguments = java.util.Arrays.copyOfRange(roots, first, roots.length);
        try {
            return shown(method.getReturnType(), method.invoke(receiver, arguments));
        } catch (InvocationTargetException exception) {
            return "T:" + exception.getCause().getClass().getName();
        }
    }

    private static String shown(Class<?> type, Object value) {
        if (type == void.class) {
            return "V";
        }
        if (!type.isPrimitive()) {
            return value == null ? "N" : "L:" + value.getClass().getName();
        }
        long bits;
        if (value instanceof Boolean) {
            bits = (Boolean) value ? 1 : 0;
        } else if (value instanceof Character) {
            bits = (Character) value;
        } else if (value instanceof Float) {
            bits = Float.floatToIntBits((Float) value) & 0xFFFFFFFFL;
        } else if (value instanceof Double) {
            bits = Double.doubleToLongBits((Double) value);
        } else if (value instanceof Long) {
            bits = (Long) value;
        } else {
            bits = ((Number) value).intValue() & 0xFFFFFFFFL;
        }
        return descriptor(type) + ":" + Long.toUnsignedString(bits);
    }

    /** Creates the objects first and fills them later, as they refer to each other. */
    private void readObjects() throws Exception {
        int count = Integer.parseInt(next());
        objects = new Object[count];
        String[][] contents = new String[count][];
        for (int i = 0; i < count; i++) {
            String kind = next();
            Class<?> type = Class.forName(next());
            int words = Integer.parseInt(next());
            contents[i] = new String[words];
            for (int word = 0; word < words; word++) {
                contents[i][word] = next();
            }
            objects[i] = make(kind, type, contents[i]);
        }
        for (int i = 0; i < count; i++) {
            fill(objects[i], contents[i]);
        }
    }

    @SuppressWarnings({"removal", "deprecation"})
    private Object make(String kind, Class<?> type, String[] contents) throws Exception {
        switch (kind) {
            case "T":
                StringBuilder text = new StringBuilder();
                for (String unit : contents) {
                    text.append((char) Integer.parseInt(unit));
                }
                return text.toString();
            case "A":
                return Array.newInstance(type.getComponentType(), contents.length);
            default:
                break;
        }
        if (type == Integer.class) {
            return new Integer((Integer) value(contents[2]));
        }
        if (type == Long.class) {
            return new Long((Long) value(contents[2]));
        }
        if (type == Boolean.class) {
            return new Boolean((Boolean) value(contents[2]));
        }
        if (type == Character.class) {
            return new Character((Character) value(contents[2]));
        }
        if (type == Short.class) {
            return new Short((Short) value(contents[2]));
        }
        if (type == Byte.class) {
            return new Byte((Byte) value(contents[2]));
        }
        if (type == Float.class) {
            return new Float((Float) value(contents[2]));
        }
        if (type == Double.class) {
            return new Double((Double) value(contents[2]));
        }
        Field unsafe = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        unsafe.setAccessible(true);
        return ((sun.misc.Unsafe) unsafe.get(null)).allocateInstance(type);
    }

    private void fill(Object object, String[] contents) throws Exception {
        if (object.getClass().isArray()) {
            for (int i = 0; i < contents.length; i++) {
                Array.set(object, i, value(contents[i]));
            }
        } else if (!object.getClass().getName().startsWith("java.")) {
            for (int i = 0; i < contents.length; i += 3) {
                Field field = Class.forName(contents[i]).getDeclaredField(contents[i + 1]);
                field.setAccessible(true);
                if (object.getClass().isRecord()) {
                    put(object, field, value(contents[i + 2]));
                } else {
                    field.set(object, value(contents[i + 2]));
                }
            }
        }
    }

    /** Sets a field of a record, which reflection cannot do; needs jdk.internal.misc opened. */
    private static void put(Object object, Field field, Object value) throws Exception {
        Class<?> type = Class.forName("jdk.internal.misc.Unsafe");
        Object unsafe = type.getMethod("getUnsafe").invoke(null);
        Object at = type.getMethod("objectFieldOffset", Field.class).invoke(unsafe, field);
        if (field.getType() == int.class) {
            Method put = type.getMethod("putInt", Object.class, long.class, int.class);
            put.invoke(unsafe, object, at, value);
        } else if (field.getType().isPrimitive()) {
            throw new UnsupportedOperationException("a record with a " + field.getType());
        } else {
            Method put = type.getMethod("putReference", Object.class, long.class, Object.class);
            put.invoke(unsafe, object, at, value);
        }
    }

    private Object value() throws Exception {
        return value(next());
    }

    private Object value(String token) throws Exception {
        if (token.equals("N")) {
            return null;
        }
        if (token.startsWith("@")) {
            return objects[Integer.parseInt(token.substring(1))];
        }
        String[] parts = token.split(":");
        if (parts[0].equals("E")) {
            Field constant = Class.forName(parts[1]).getDeclaredField(parts[2]);
            constant.setAccessible(true);
            return constant.get(null);
        }
        long bits = Long.parseUnsignedLong(parts[1]);
        switch (parts[0]) {
            case "Z":
                return bits != 0;
            case "B":
                return (byte) bits;
            case "C":
                return (char) bits;
            case "S":
                return (short) bits;
            case "I":
                return (int) bits;
            case "J":
                return bits;
            case "F":
                return Float.intBitsToFloat((int) bits);
            default:
                return Double.longBitsToDouble(bits);
        }
    }

    private static String descriptor(Method method) {
        StringBuilder text = new StringBuilder("(");
        for (Class<?> parameter : method.getParameterTypes()) {
            text.append(descriptor(parameter));
        }
        return text.append(")").append(descriptor(method.getReturnType())).toString();
    }

    private static String descriptor(Class<?> type) {
        if (type == void.class) {
            return "V";
        }
        String array = Array.newInstance(type, 0).getClass().getName();
        return array.substring(1).replace('.', '/');
    }

    private String next() {
        return tokens.nextToken();
    }
}
