package handles.many;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Handles of many arguments and of every primitive kind. */
public class Main {
    static String all(boolean a, byte b, short c, char d, int e, long f, float g, double h, Object i) {
        return "" + a + b + c + d + e + f + g + h + i;
    }

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        MethodHandle all = lookup.findStatic(Main.class, "all", MethodType.methodType(String.class,
                boolean.class, byte.class, short.class, char.class, int.class, long.class, float.class,
                double.class, Object.class));
        System.out.println((String) all.invokeExact(true, (byte) -1, (short) 300, 'c', 5, 6L, 7.5f, 8.25,
                (Object) "o"));
        System.out.println(all.invokeWithArguments(false, (byte) 1, (short) 2, 'd', 3, 4L, 5f, 6.0, null));
        System.out.println(all.asSpreader(Object[].class, 9).invoke(new Object[] {true, (byte) 9,
                (short) 8, 'e', 7, 6L, 5f, 4.0, 3}));
        System.out.println(MethodHandles.insertArguments(all, 2, (short) 1, 'f', 2, 3L, 4f, 5.0)
                .invoke(false, (byte) 0, (Object) 'x'));
        System.out.println(all.asType(all.type().wrap()).invoke(true, (byte) 1, (short) 1, 'g', 1, 1L, 1f,
                1.0, "w"));
        for (Class<?> type : new Class<?>[] {boolean.class, byte.class, short.class, char.class, int.class,
                long.class, float.class, double.class, String.class}) {
            MethodHandle identity = MethodHandles.identity(type);
            System.out.print(identity.type() + "=" + MethodHandles.zero(type).invoke() + " ");
        }
        System.out.println();
        MethodHandle widen = MethodHandles.identity(long.class).asType(MethodType.methodType(double.class,
                int.class));
        System.out.println((double) widen.invokeExact(7));
        MethodHandle narrow = MethodHandles.explicitCastArguments(MethodHandles.identity(byte.class),
                MethodType.methodType(char.class, long.class));
        System.out.println((int) (char) narrow.invokeExact(0x1ffL));
        MethodHandle unboxed = MethodHandles.identity(int.class).asType(MethodType.methodType(Object.class,
                Object.class));
        System.out.println(unboxed.invoke((Object) (short) 12));
        MethodHandle dropped = MethodHandles.identity(int.class).asType(MethodType.methodType(void.class,
                int.class));
        dropped.invokeExact(1);
        System.out.println(MethodHandles.dropReturn(MethodHandles.identity(int.class)).type());
    }
}
