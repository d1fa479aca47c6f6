package reflection.arrays;

import java.lang.reflect.Array;
import java.util.Arrays;

/** java.lang.reflect.Array: making, reading, widening writes, wrong uses. */
public final class Main {
    public static void main(String[] args) {
        Class<?>[] kinds = {boolean.class, byte.class, short.class, char.class, int.class, long.class, float.class, double.class, String.class, int[].class};
        for (Class<?> k : kinds) {
            Object a = Array.newInstance(k, 2);
            StringBuilder s = new StringBuilder(a.getClass().getName() + " " + Array.getLength(a) + " ");
            for (Object v : new Object[] {true, (byte) 1, (short) 2, 'c', 4, 5L, 6f, 7.0, "str", new int[0], null}) {
                try {
                    Array.set(a, 1, v);
                    Object r = Array.get(a, 1);
                    s.append(r instanceof int[] ? "ints" : r).append(' ');
                } catch (IllegalArgumentException e) {
                    s.append("- ");
                } catch (NullPointerException e) {
                    s.append("N ");
                }
            }
            System.out.println(s);
        }
        int[][][] cube = (int[][][]) Array.newInstance(int.class, 2, 3, 4);
        cube[1][2][3] = 7;
        System.out.println(Arrays.deepToString(cube) + " " + Array.newInstance(int[].class, 2, 2).getClass().getName());
        long[] l = {1, 2};
        Array.setInt(l, 0, 9);
        Array.setChar(l, 1, 'a');
        System.out.println(Array.getLong(l, 0) + " " + Array.getDouble(l, 1) + " " + Arrays.toString(l));
        Runnable[] bad = {() -> Array.get(l, 2), () -> Array.getInt(l, 0), () -> Array.getLength("x"), () -> Array.newInstance(void.class, 1), () -> Array.newInstance(int.class, -1),
            () -> Array.set(l, -1, 1L), () -> Array.getLength(null), () -> Array.newInstance(int.class, new int[0]), () -> Array.newInstance(int.class, new int[256])};
        for (Runnable r : bad) {
            try {
                r.run();
                System.out.println("fine");
            } catch (RuntimeException e) {
                System.out.println(e.getClass().getSimpleName());
            }
        }
        System.out.println(int[].class.getComponentType() + " " + String[][].class.getComponentType() + " " + int.class.arrayType() + " " + Object[].class.isAssignableFrom(String[].class) + " " + Object[].class.isAssignableFrom(int[].class) + " " + int[].class.getSuperclass() + Arrays.toString(int[].class.getInterfaces()) + " " + String[].class.getSimpleName() + " " + String[][].class.getTypeName() + " " + int[].class.getModifiers());
        Object deepest = new int[0];
        for (int dimensions = 1; dimensions < 255; dimensions++) {
            deepest = Array.newInstance(deepest.getClass(), 1);
        }
        Class<?> type = deepest.getClass();
        Runnable[] tooDeep = {() -> Array.newInstance(type, 1), () -> Array.newInstance(type, 1, 1), () -> Array.newInstance(type, new int[0])};
        for (Runnable r : tooDeep) {
            try {
                r.run();
                System.out.println("fine");
            } catch (IllegalArgumentException e) {
                System.out.println(e.getMessage());
            }
        }
    }
}
