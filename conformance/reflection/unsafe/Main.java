package reflection.unsafe;

import java.lang.reflect.Field;

/** The memory access that many libraries reach for by reflection, into a module that opens its packages. */
@SuppressWarnings({"deprecation", "removal"})
class Main {
    int number = 3;
    volatile long counter = 5;
    Object object = "x";

    public static void main(String[] arguments) throws Exception {
        Field field = sun.misc.Unsafe.class.getDeclaredField("theUnsafe");
        field.setAccessible(true);
        sun.misc.Unsafe unsafe = (sun.misc.Unsafe) field.get(null);
        Module module = sun.misc.Unsafe.class.getModule();
        System.out.println(module.getName() + " " + module.isOpen("sun.misc") + " " + module.isExported("sun.nio.ch"));
        System.out.println(Main.class.getModule().isNamed());

        Main main = new Main();
        long number = unsafe.objectFieldOffset(Main.class.getDeclaredField("number"));
        System.out.println(unsafe.getInt(main, number));
        unsafe.putInt(main, number, 9);
        System.out.println(main.number);
        System.out.println(unsafe.compareAndSwapInt(main, number, 9, 10) + " " + main.number);
        System.out.println(unsafe.compareAndSwapInt(main, number, 9, 11) + " " + main.number);
        long counter = unsafe.objectFieldOffset(Main.class.getDeclaredField("counter"));
        System.out.println(unsafe.getAndAddLong(main, counter, 4) + " " + main.counter);
        unsafe.putOrderedLong(main, counter, 77);
        System.out.println(unsafe.getLongVolatile(main, counter));

        int[] ints = {1, 2, 3};
        System.out.println(unsafe.getInt(ints, unsafe.arrayBaseOffset(int[].class) + 2L * unsafe.arrayIndexScale(int[].class)));
        Object[] objects = {"p", "q"};
        long second = unsafe.arrayBaseOffset(Object[].class) + unsafe.arrayIndexScale(Object[].class);
        System.out.println(unsafe.getObject(objects, second));
        unsafe.putOrderedObject(objects, second, "r");
        System.out.println(objects[1]);

        Main raw = (Main) unsafe.allocateInstance(Main.class);
        System.out.println(raw.number + " " + raw.counter + " " + raw.object);
        unsafe.loadFence();
        unsafe.storeFence();
        unsafe.fullFence();
    }
}
