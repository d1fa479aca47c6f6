package heapwright.verify;

import java.lang.reflect.Field;
import java.lang.reflect.Modifier;

/** Objects as inputs, made of strings, boxes, and arrays and objects of them. */
public final class Objects {
    private Objects() {
    }

    /** A value of the class of a sample; not null. */
    public static Object like(String name, Object sample) {
        if (sample == null) {
            throw new NullPointerException("the sample of an input is null");
        }
        return ofClass(name, sample.getClass());
    }

    /** Gives new values to the fields of an object. */
    public static void open(String name, Object object) {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!Modifier.isStatic(field.getModifiers()) && !field.isSynthetic()) {
                    field.setAccessible(true);
                    set(field, object, name + "." + field.getName());
                }
            }
        }
    }

    private static void set(Field field, Object object, String name) {
        try {
            Class<?> type = field.getType();
            if (type.isPrimitive()) {
                field.set(object, primitive(name, type));
            } else {
                field.set(object, Inputs.nextBoolean(isNull(name)) ? null : ofClass(name, type));
            }
        } catch (IllegalAccessException e) {
            refuse();
        }
    }

    private static Object ofClass(String name, Class<?> type) {
        if (type == String.class) {
            return Inputs.nextString(name);
        }
        if (type == Boolean.class) {
            return primitive(name, boolean.class);
        }
        if (type == Byte.class) {
            return primitive(name, byte.class);
        }
        if (type == Character.class) {
            return primitive(name, char.class);
        }
        if (type == Short.class) {
            return primitive(name, short.class);
        }
        if (type == Integer.class) {
            return primitive(name, int.class);
        }
        if (type == Long.class) {
            return primitive(name, long.class);
        }
        if (type == Float.class) {
            return primitive(name, float.class);
        }
        if (type == Double.class) {
            return primitive(name, double.class);
        }
        if (type.isArray() && (type.getComponentType().isPrimitive() || type.getComponentType() == String.class)) {
            return array(name, type.getComponentType());
        }
        refuse();
        return null;
    }

    private static Object array(String name, Class<?> type) {
        int length = Inputs.nextInt(name == null ? null : name + ".length");
        Inputs.assume(length >= 0);
        if (type == boolean.class) {
            boolean[] elements = new boolean[length];
            for (int i = 0; i < length; i++) {
                elements[i] = Inputs.nextBoolean(element(name, i));
            }
            return elements;
        }
        if (type == byte.class) {
            byte[] elements = new byte[length];
            for (int i = 0; i < length; i++) {
                elements[i] = Inputs.nextByte(element(name, i));
            }
            return elements;
        }
        if (type == char.class) {
            char[] elements = new char[length];
            for (int i = 0; i < length; i++) {
                elements[i] = Inputs.nextChar(element(name, i));
            }
            return elements;
        }
        if (type == short.class) {
            short[] elements = new short[length];
            for (int i = 0; i < length; i++) {
                elements[i] = Inputs.nextShort(element(name, i));
            }
            return elements;
        }
        if (type == int.class) {
            int[] elements = new int[length];
            for (int i = 0; i < length; i++) {
                elements[i] = Inputs.nextInt(element(name, i));
            }
            return elements;
        }
        if (type == long.class) {
            long[] elements = new long[length];
            for (int i = 0; i < length; i++) {
                elements[i] = Inputs.nextLong(element(name, i));
            }
            return elements;
        }
        if (type == float.class) {
            float[] elements = new float[length];
            for (int i = 0; i < length; i++) {
                elements[i] = Inputs.nextFloat(element(name, i));
            }
            return elements;
        }
        if (type == double.class) {
            double[] elements = new double[length];
            for (int i = 0; i < length; i++) {
                elements[i] = Inputs.nextDouble(element(name, i));
            }
            return elements;
        }
        String[] elements = new String[length];
        for (int i = 0; i < length; i++) {
            String element = element(name, i);
            elements[i] = Inputs.nextBoolean(isNull(element)) ? null : Inputs.nextString(element);
        }
        return elements;
    }

    private static String isNull(String name) {
        return name == null ? null : name + " is null";
    }

    private static String element(String name, int index) {
        return name == null ? null : name + "[" + index + "]";
    }

    private static Object primitive(String name, Class<?> type) {
        if (type == boolean.class) {
            return Inputs.nextBoolean(name);
        }
        if (type == byte.class) {
            return Inputs.nextByte(name);
        }
        if (type == char.class) {
            return Inputs.nextChar(name);
        }
        if (type == short.class) {
            return Inputs.nextShort(name);
        }
        if (type == int.class) {
            return Inputs.nextInt(name);
        }
        if (type == long.class) {
            return Inputs.nextLong(name);
        }
        if (type == float.class) {
            return Inputs.nextFloat(name);
        }
        return Inputs.nextDouble(name);
    }

    /** Ends the run: objects of further classes as inputs are refused. */
    private static native void refuse();
}
