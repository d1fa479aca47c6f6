package handles.arrays;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;

import java.util.Arrays;

/** Handles of array elements, lengths and constructors. */
public class Main {
    public static void main(String[] args) throws Throwable {
        int[] ints = {4, 5, 6};
        System.out.println((int) MethodHandles.arrayElementGetter(int[].class).invokeExact(ints, 1));
        MethodHandles.arrayElementSetter(int[].class).invokeExact(ints, 2, 9);
        System.out.println(Arrays.toString(ints));
        System.out.println((int) MethodHandles.arrayLength(int[].class).invokeExact(ints));
        System.out.println(((String[]) MethodHandles.arrayConstructor(String[].class)
                .invokeExact(3)).length);
        MethodHandle get = MethodHandles.arrayElementGetter(String[].class);
        String[] words = {"a", "b"};
        System.out.println((String) get.invokeExact(words, 1));
        try {
            get.invoke(words, 2);
        } catch (ArrayIndexOutOfBoundsException thrown) {
            System.out.println(thrown.getMessage());
        }
        Object[] objects = words;
        try {
            MethodHandles.arrayElementSetter(Object[].class).invoke(objects, 0, (Object) 1);
        } catch (ArrayStoreException thrown) {
            System.out.println(thrown.getMessage());
        }
        try {
            MethodHandles.arrayLength(int[].class).invoke((int[]) null);
        } catch (NullPointerException thrown) {
            System.out.println("null");
        }
        long[] longs = {1L << 40};
        System.out.println((long) MethodHandles.arrayElementGetter(long[].class)
                .invokeExact(longs, 0));
        boolean[] flags = new boolean[2];
        MethodHandles.arrayElementSetter(boolean[].class).invoke(flags, 1, true);
        System.out.println(Arrays.toString(flags));
        try {
            MethodHandles.arrayElementGetter(String.class);
        } catch (IllegalArgumentException thrown) {
            System.out.println("no array");
        }
        System.out.println(MethodHandles.arrayElementSetter(byte[].class).type());
    }
}
