package handles.adapters;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

import java.util.Arrays;

/** Handles made of others: arguments inserted, dropped, filtered, permuted, collected, spread. */
public class Main {
    static int add(int a, int b) {
        return a + b;
    }

    static Object[] all(Object... values) {
        return values;
    }

    static String join(String a, long b, double c, char d) {
        return a + b + c + d;
    }

    static int sum(int... values) {
        return Arrays.stream(values).sum();
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle add = lookup.findStatic(Main.class, "add",
                MethodType.methodType(int.class, int.class, int.class));
        MethodHandle join = lookup.findStatic(Main.class, "join", MethodType.methodType(
                String.class, String.class, long.class, double.class, char.class));
        System.out.println((int) MethodHandles.insertArguments(add, 0, 100).invokeExact(1));
        System.out.println((String) MethodHandles.insertArguments(join, 1, 7L, 0.5)
                .invokeExact("s", 'c'));
        System.out.println(MethodHandles.dropArguments(add, 1, String.class, long.class)
                .invoke(1, "q", 9L, 5));
        MethodHandle text = lookup.findStatic(String.class, "valueOf",
                MethodType.methodType(String.class, int.class));
        System.out.println((String) MethodHandles.filterReturnValue(add, text).invokeExact(1, 1));
        MethodHandle length = lookup.findVirtual(String.class, "length",
                MethodType.methodType(int.class));
        System.out.println((int) MethodHandles.filterArguments(add, 0, length, length)
                .invokeExact("ab", "abc"));
        System.out.println(MethodHandles.permuteArguments(add,
                MethodType.methodType(int.class, int.class), 0, 0).invoke(21));
        System.out.println(MethodHandles.permuteArguments(join, MethodType.methodType(String.class,
                char.class, double.class, long.class, String.class), 3, 2, 1, 0)
                .invoke('d', 1.5, 2L, "a"));
        System.out.println(MethodHandles.foldArguments(MethodHandles.dropArguments(add, 2,
                int.class), add).invoke(3, 4));
        System.out.println(MethodHandles.collectArguments(add, 1, add).invoke(1, 2, 3));
        System.out.println(add.asSpreader(Object[].class, 2).invoke(new Object[] {3, 9}));
        System.out.println(add.asSpreader(int[].class, 2).invoke(new int[] {4, 9}));
        System.out.println(add.asSpreader(1, int[].class, 1).invoke(1, new int[] {4}));
        MethodHandle all = lookup.findStatic(Main.class, "all",
                MethodType.methodType(Object[].class, Object[].class));
        System.out.println(all.isVarargsCollector() + " " + all.asFixedArity().isVarargsCollector());
        System.out.println(Arrays.toString((Object[]) all.invoke(1, "b", 2.5)));
        System.out.println(Arrays.toString((Object[]) all.invoke()));
        System.out.println(Arrays.toString((Object[]) all.asCollector(Object[].class, 2)
                .invoke(1L, 'c')));
        MethodHandle sum = lookup.findStatic(Main.class, "sum",
                MethodType.methodType(int.class, int[].class));
        System.out.println(sum.invoke() + " " + sum.invoke(1) + " " + sum.invoke(1, 2, 3));
        System.out.println(sum.withVarargs(false).invoke(new int[] {5, 6}));
        System.out.println(join.asType(join.type().generic()).invoke((Object) "t", 1L, 2.0, 'x'));
        System.out.println(MethodHandles.explicitCastArguments(add, MethodType.methodType(byte.class,
                double.class, long.class)).invoke(200.7, 100L));
        System.out.println(MethodHandles.zero(long.class).invoke() + " "
                + MethodHandles.empty(MethodType.methodType(String.class, int.class)).invoke(1));
        System.out.println(MethodHandles.constant(String.class, "k").invoke() + " "
                + MethodHandles.identity(double.class).invoke(1.25));
    }
}
