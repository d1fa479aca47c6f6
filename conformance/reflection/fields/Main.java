package reflection.fields;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Fields of every kind read and written, constructors, modifiers, generic signatures as text. */
public final class Main {
    public static class Box<T extends Comparable<? super T>> {
        public boolean z;
        protected byte b = 1;
        short h;
        private char c = 'c';
        public static int count;
        public final long j = 5;
        volatile float f;
        transient double d;
        public T value;
        public Map<String, ? extends List<T[]>> map;

        public Box() {
        }

        protected Box(T value, int... more) throws IllegalStateException {
            this.value = value;
            if (more.length == 0) {
                throw new IllegalStateException("no more");
            }
        }

        public static synchronized <A, B extends Number & Runnable> A pick(A[] a, Class<? super B> b) throws Exception {
            return a[0];
        }

        abstract static class Hidden implements Comparable<Hidden> {
            abstract strictfp class Never {}
        }
    }

    public static void main(String[] args) throws Exception {
        Box<String> box = new Box<>();
        Field[] fields = Box.class.getDeclaredFields();
        Arrays.sort(fields, Comparator.comparing(Field::getName));
        for (Field f : fields) {
            f.setAccessible(true);
            System.out.println(Modifier.toString(f.getModifiers()) + "|" + f.getType() + "|" + f.getGenericType() + "|" + f.toGenericString() + "|" + f.get(box));
        }
        Field b = Box.class.getDeclaredField("b");
        b.setAccessible(true);
        b.setByte(box, (byte) 9);
        System.out.println(b.getInt(box) + " " + b.getDouble(box) + " " + b.getLong(box));
        Field d = Box.class.getDeclaredField("d");
        d.setAccessible(true);
        d.set(box, 'x');
        d.setFloat(box, 1.5f);
        d.set(box, 7);
        System.out.println(box.d);
        Box.class.getField("count").set(null, 12);
        Box.class.getField("value").set(box, "text");
        System.out.println(Box.count + " " + box.value);
        Object[][] wrong = {{"b", 300}, {"z", 1}, {"count", 5L}, {"h", null}, {"j", 1L}, {"c", (byte) 1}, {"map", "no"}};
        for (Object[] w : wrong) {
            try {
                Field f = Box.class.getDeclaredField((String) w[0]);
                f.set(box, w[1]);
                System.out.println(w[0] + " fine");
            } catch (IllegalArgumentException | IllegalAccessException | NullPointerException e) {
                System.out.println(w[0] + " " + e.getClass().getSimpleName());
            }
        }
        try {
            Box.class.getField("b");
        } catch (NoSuchFieldException e) {
            System.out.println(e.getMessage());
        }
        for (Constructor<?> c : Box.class.getDeclaredConstructors()) {
            if (c.getParameterCount() == 2) {
                System.out.println(c + " " + c.toGenericString() + " " + c.isVarArgs());
                c.setAccessible(true);
                System.out.println(((Box<?>) c.newInstance("made", new int[1])).value);
                try {
                    c.newInstance("made", new int[0]);
                } catch (InvocationTargetException e) {
                    System.out.println(e.getCause().getMessage());
                }
            }
        }
        Method pick = Box.class.getMethod("pick", Object[].class, Class.class);
        System.out.println(pick + "\n" + pick.toGenericString() + "\n" + Arrays.toString(pick.getTypeParameters()[1].getBounds()) + pick.invoke(null, new Integer[] {4}, null));
        System.out.println(Box.class.toGenericString() + " " + Box.Hidden.class.toGenericString() + " " + Arrays.toString(Box.Hidden.class.getGenericInterfaces()) + " " + int[][].class.toGenericString() + " " + Override.class.toGenericString());
        System.out.println(Arrays.toString(Box.class.getTypeParameters()[0].getBounds()) + " " + Modifier.toString(0xfff) + " " + Modifier.isAbstract(Box.Hidden.class.getModifiers()));
    }
}
