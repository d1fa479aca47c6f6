package handles.variables;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.invoke.VarHandle;
import java.lang.invoke.WrongMethodTypeException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

import java.util.Arrays;

/** Variable handles of fields, arrays and bytes in every mode of access. */
public class Main {
    int number = 1;
    volatile String text = "a";
    static long total = 5;
    final int fixed = 7;

    public static void main(String[] args) throws Throwable {
        MethodHandles.Lookup lookup = MethodHandles.lookup();
        VarHandle number = lookup.findVarHandle(Main.class, "number", int.class);
        Main object = new Main();
        number.set(object, 10);
        System.out.println((int) number.get(object) + " " + (int) number.getVolatile(object));
        System.out.println(number.compareAndSet(object, 10, 11) + " "
                + number.compareAndSet(object, 10, 12));
        System.out.println((int) number.getAndAdd(object, 5) + " " + object.number);
        System.out.println((int) number.getAndSet(object, 3) + " "
                + (int) number.compareAndExchange(object, 3, 4) + " " + object.number);
        System.out.println((int) number.getAndBitwiseOr(object, 8) + " "
                + (int) number.getAndBitwiseAnd(object, 12) + " "
                + (int) number.getAndBitwiseXor(object, 1) + " " + object.number);
        System.out.println(number.varType() + " " + number.coordinateTypes());
        System.out.println(number.accessModeType(VarHandle.AccessMode.COMPARE_AND_SET));
        VarHandle text = lookup.findVarHandle(Main.class, "text", String.class);
        System.out.println(text.weakCompareAndSetPlain(object, "a", "b") + (String) text.get(object));
        System.out.println(text.isAccessModeSupported(VarHandle.AccessMode.GET_AND_ADD) + " "
                + text.isAccessModeSupported(VarHandle.AccessMode.GET_AND_SET));
        VarHandle total = lookup.findStaticVarHandle(Main.class, "total", long.class);
        System.out.println((long) total.getAndAddAcquire(2L) + " " + total.coordinateTypes().size());
        VarHandle fixed = lookup.findVarHandle(Main.class, "fixed", int.class);
        try {
            fixed.set(object, 1);
        } catch (UnsupportedOperationException thrown) {
            System.out.println("final " + (int) fixed.get(object));
        }
        VarHandle elements = MethodHandles.arrayElementVarHandle(int[].class);
        int[] array = {1, 2, 3};
        elements.setRelease(array, 1, 20);
        System.out.println(Arrays.toString(array) + (int) elements.getOpaque(array, 1));
        VarHandle longs = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
        byte[] bytes = new byte[16];
        longs.set(bytes, 8, 0x0102030405060708L);
        System.out.println(Arrays.toString(bytes));
        VarHandle buffer = MethodHandles.byteBufferViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
        ByteBuffer direct = ByteBuffer.allocate(8);
        buffer.set(direct, 4, 0x01020304);
        System.out.println(Arrays.toString(direct.array()) + (int) buffer.get(direct, 4));
        MethodHandle get = number.toMethodHandle(VarHandle.AccessMode.GET);
        System.out.println(get.type() + " " + (int) get.invokeExact(object));
        MethodHandle invoker = MethodHandles.varHandleInvoker(VarHandle.AccessMode.SET,
                MethodType.methodType(void.class, Main.class, int.class));
        invoker.invoke(number, object, 99);
        System.out.println(object.number);
        VarHandle exact = number.withInvokeExactBehavior();
        System.out.println(exact.hasInvokeExactBehavior() + " " + number.hasInvokeExactBehavior());
        try {
            exact.set(object, (byte) 1);
        } catch (WrongMethodTypeException thrown) {
            System.out.println("not exact");
        }
        try {
            number.set((Main) null, 1);
        } catch (NullPointerException thrown) {
            System.out.println("null");
        }
    }
}
