package heapwright.trial;

import java.lang.reflect.Field;

/** What differs from machine to machine and no option of the virtual machine sets. */
final class World {
    private World() {}

    /** Fixes the order of {@code Set.of} and {@code Map.of}, which is another in each process. */
    static void salt(long seed) {
        try {
            Class<?> unsafeClass = Class.forName("sun.misc.Unsafe");
            Field instance = unsafeClass.getDeclaredField("theUnsafe");
            instance.setAccessible(true);
            Object unsafe = instance.get(null);
            for (Field field : Class.forName("java.util.ImmutableCollections").getDeclaredFields()) {
                String put = switch (field.getName()) {
                    case "REVERSE" -> "putBoolean";
                    case "SALT32L" -> "putLong";
                    default -> null;
                };
                if (put != null) {
                    Object base = unsafeClass.getMethod("staticFieldBase", Field.class).invoke(unsafe, field);
                    Object offset = unsafeClass.getMethod("staticFieldOffset", Field.class).invoke(unsafe, field);
                    Class<?> type = field.getType();
                    Object value = type == boolean.class ? (Object) (seed % 2 == 1) : (Object) (seed * 0x9E3779B9L >>> 1);
                    unsafeClass.getMethod(put, Object.class, long.class, type).invoke(unsafe, base, offset, value);
                }
            }
        } catch (ReflectiveOperationException otherLibrary) {
            // The order is then that of the process.
        }
    }
}
