package reflection.calls;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;

/** Calling methods and constructors and reading and writing fields by reflection. */
public class Main {
    private int number = 3;
    static long wide = 1L << 40;
    String text = "text";
    double[] data = {1.5};

    Main() { }

    private Main(int n) {
        if (n < 0) throw new IllegalArgumentException("negative " + n);
        number = n;
    }

    int add(int a, long b) { return (int) (number + a + b); }
    static String join(String a, Object... rest) { return a + rest.length; }
    void fail() { throw new IllegalStateException("failed inside"); }
    private char letter() { return 'p'; }

    static class Sub extends Main {
        @Override
        int add(int a, long b) { return -1; }
    }

    public static void main(String[] args) throws Exception {
        Main m = new Main();
        Method add = Main.class.getDeclaredMethod("add", int.class, long.class);
        System.out.println(add.invoke(m, 4, 5L) + " " + add.invoke(m, 4, 5) + " " + add.invoke(new Sub(), 1, 1L));
        System.out.println(Main.class.getDeclaredMethod("join", String.class, Object[].class).invoke(null, "n", new Object[] {1, 2}));
        System.out.println(Main.class.getDeclaredMethod("letter").invoke(m) + " " + Main.class.getDeclaredMethod("letter").invoke(m).getClass().getSimpleName());
        try {
            Main.class.getDeclaredMethod("fail").invoke(m);
        } catch (InvocationTargetException e) {
            System.out.println(e.getMessage() + " " + e.getCause());
        }
        try {
            add.invoke(m, "wrong", 5L);
        } catch (IllegalArgumentException e) {
            System.out.println("argument type");
        }
        try {
            add.invoke(m, 1);
        } catch (IllegalArgumentException e) {
            System.out.println("argument count");
        }
        try {
            add.invoke(null, 1, 2L);
        } catch (NullPointerException e) {
            System.out.println("no receiver");
        }
        Constructor<Main> c = Main.class.getDeclaredConstructor(int.class);
        System.out.println(c.newInstance(50).number);
        try {
            c.newInstance(-1);
        } catch (InvocationTargetException e) {
            System.out.println(e.getTargetException().getMessage());
        }
        System.out.println(Main.class.getDeclaredConstructor().newInstance().text);
        Field number = Main.class.getDeclaredField("number");
        number.setInt(m, 10);
        number.set(m, 11);
        System.out.println(number.get(m) + " " + number.getInt(m) + " " + number.getLong(m) + " " + m.number);
        Field wides = Main.class.getDeclaredField("wide");
        wides.set(null, 7L);
        System.out.println(wides.get(null) + " " + wide);
        Field text = Main.class.getDeclaredField("text");
        text.set(m, null);
        System.out.println(text.get(m));
        try {
            text.set(m, 5);
        } catch (IllegalArgumentException e) {
            System.out.println("field type");
        }
        Object array = Array.newInstance(int.class, 3);
        Array.setInt(array, 1, 9);
        Array.set(array, 2, 8);
        System.out.println(Array.getLength(array) + " " + Array.get(array, 1) + " " + Array.getLong(array, 2) + " " + array.getClass().getName());
        System.out.println(((Object[]) Array.newInstance(String.class, 2, 2)).getClass().getSimpleName());
    }
}
