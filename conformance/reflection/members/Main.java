package reflection.members;

import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;

/** Declared fields, methods and constructors: names, types, modifiers. */
public class Main {
    static class Base {
        protected int inherited;
        public void baseMethod() { }
    }

    static final class Sample extends Base implements Runnable {
        private int number = 3;
        public static final String TEXT = "t";
        volatile long[] longs;
        transient java.util.List<String> list;

        Sample() { }

        private Sample(int n, String s) { number = n; }

        public void run() { }

        static int twice(int i) { return 2 * i; }

        private String secret(Object o, int... rest) throws java.io.IOException { return "secret"; }
    }

    @Deprecated
    interface Marked { }

    public static void main(String[] args) throws Exception {
        for (Field f : Sample.class.getDeclaredFields()) {
            System.out.println(f.getName() + " " + f.getType().getSimpleName() + " " + Modifier.toString(f.getModifiers()) + " " + f.getDeclaringClass().getSimpleName());
        }
        Method[] methods = Sample.class.getDeclaredMethods();
        Arrays.sort(methods, Comparator.comparing(Method::getName));
        for (Method m : methods) {
            System.out.println(m.getName() + " " + Arrays.toString(m.getParameterTypes()) + " " + m.getReturnType() + " " + Modifier.toString(m.getModifiers())
                    + " " + m.isVarArgs() + " " + m.getParameterCount() + " " + Arrays.toString(m.getExceptionTypes()));
        }
        Constructor<?>[] constructors = Sample.class.getDeclaredConstructors();
        Arrays.sort(constructors, Comparator.comparing(Constructor::getParameterCount));
        for (Constructor<?> c : constructors) {
            System.out.println(c.getName() + " " + c.getParameterCount() + " " + Modifier.toString(c.getModifiers()));
        }
        System.out.println(Modifier.toString(Sample.class.getModifiers()) + " " + Modifier.isFinal(Sample.class.getModifiers()) + " " + Modifier.isAbstract(Runnable.class.getModifiers()));
        System.out.println(Sample.class.getDeclaredField("number") + " " + Sample.class.getMethod("run") + " " + Sample.class.getMethod("baseMethod").getDeclaringClass().getSimpleName());
        try {
            Sample.class.getDeclaredField("inherited");
        } catch (NoSuchFieldException e) {
            System.out.println(e.getMessage());
        }
        try {
            Sample.class.getMethod("secret", Object.class, int[].class);
        } catch (NoSuchMethodException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Marked.class.isAnnotationPresent(Deprecated.class) + " " + Sample.class.isAnnotationPresent(Deprecated.class));
        System.out.println(Sample.class.getDeclaredField("list").getGenericType() + " " + Arrays.toString(Sample.class.getInterfaces()));
        System.out.println(Main.class.getDeclaredClasses().length);
    }
}
