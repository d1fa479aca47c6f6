package threads.handles;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;

/** Variable handles of fields, static fields, arrays and byte arrays, in all access modes. */
public class Main {
    private int number = 1;
    private long wide = 2;
    private double real = 0.5;
    private boolean flag;
    private byte small = 127;
    private char letter = 'a';
    private Object thing = "old";
    private final int fixed = 3;
    private static String shared = "static";

    private static final VarHandle NUMBER, WIDE, REAL, FLAG, SMALL, LETTER, THING, FIXED, SHARED;
    private static final VarHandle INTS = MethodHandles.arrayElementVarHandle(int[].class);
    private static final VarHandle STRINGS = MethodHandles.arrayElementVarHandle(String[].class);

    static {
        try {
            MethodHandles.Lookup lookup = MethodHandles.lookup();
            NUMBER = lookup.findVarHandle(Main.class, "number", int.class);
            WIDE = lookup.findVarHandle(Main.class, "wide", long.class);
            REAL = lookup.findVarHandle(Main.class, "real", double.class);
            FLAG = lookup.findVarHandle(Main.class, "flag", boolean.class);
            SMALL = lookup.findVarHandle(Main.class, "small", byte.class);
            LETTER = lookup.findVarHandle(Main.class, "letter", char.class);
            THING = lookup.findVarHandle(Main.class, "thing", Object.class);
            FIXED = lookup.findVarHandle(Main.class, "fixed", int.class);
            SHARED = lookup.findStaticVarHandle(Main.class, "shared", String.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public static void main(String[] args) throws Exception {
        Main m = new Main();
        System.out.println((int) NUMBER.get(m) + " " + NUMBER.compareAndSet(m, 1, 10) + " " + (int) NUMBER.getAndAdd(m, 5) + " " + (int) NUMBER.getAndBitwiseOr(m, 16)
                + " " + (int) NUMBER.compareAndExchange(m, 0, 7) + " " + m.number);
        WIDE.setVolatile(m, 1L << 40);
        System.out.println((long) WIDE.getAcquire(m) + " " + (long) WIDE.getAndBitwiseXor(m, 1L) + " " + WIDE.weakCompareAndSetPlain(m, 0L, 1L) + " " + m.wide);
        REAL.setRelease(m, 2.5);
        System.out.println((double) REAL.getAndAdd(m, 0.25) + " " + REAL.compareAndSet(m, 2.75, -0.0) + " " + m.real);
        System.out.println((boolean) FLAG.getAndSet(m, true) + " " + (boolean) FLAG.getAndBitwiseAnd(m, false) + " " + m.flag);
        System.out.println((byte) SMALL.getAndAdd(m, (byte) 1) + " " + m.small + " " + (char) LETTER.getAndAdd(m, (char) 2) + m.letter);
        System.out.println((String) THING.getAndSet(m, 5) + " " + THING.get(m) + " " + THING.compareAndSet(m, "old", null) + " " + (Object) THING.getOpaque(m));
        try {
            String s = (String) THING.get(m);
        } catch (ClassCastException e) {
            System.out.println("not a string");
        }
        System.out.println((int) FIXED.get(m) + " " + FIXED.varType() + " " + SHARED.varType().getSimpleName());
        try {
            FIXED.set(m, 4);
        } catch (UnsupportedOperationException e) {
            System.out.println("final");
        }
        SHARED.set("changed");
        System.out.println(shared + " " + (String) SHARED.getAndSet("again") + " " + shared);
        int[] ints = {1, 2, 3};
        INTS.setVolatile(ints, 1, 20);
        System.out.println((int) INTS.getAndAdd(ints, 1, 2) + " " + INTS.compareAndSet(ints, 2, 3, 30) + " " + Arrays.toString(ints) + " " + (long) INTS.get(ints, 0));
        String[] strings = {"p", null};
        System.out.println(STRINGS.compareAndSet(strings, 1, null, "q") + " " + (String) STRINGS.getAndSet(strings, 0, "r") + " " + Arrays.toString(strings));
        try {
            INTS.set(ints, 3, 0);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            NUMBER.get((Main) null);
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        byte[] bytes = new byte[10];
        VarHandle big = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
        VarHandle little = MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);
        VarHandle chars = MethodHandles.byteArrayViewVarHandle(char[].class, ByteOrder.BIG_ENDIAN);
        VarHandle doubles = MethodHandles.byteArrayViewVarHandle(double[].class, ByteOrder.LITTLE_ENDIAN);
        big.set(bytes, 1, 0x0102030405060708L);
        System.out.println(Arrays.toString(bytes) + " " + Integer.toHexString((int) little.get(bytes, 2)) + " " + (int) (char) chars.get(bytes, 7));
        doubles.set(bytes, 2, 1.5);
        System.out.println(Arrays.toString(bytes) + " " + (double) doubles.get(bytes, 2) + " " + (long) big.get(bytes, 0));
        try {
            big.get(bytes, 3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        try {
            MethodHandles.lookup().findVarHandle(Main.class, "missing", int.class);
        } catch (NoSuchFieldException e) {
            System.out.println("no such field");
        }
        VarHandle.fullFence();
    }
}
