package reflection.executables;

import java.lang.reflect.Array;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Comparator;

/** Parameters, modifiers, exceptions and types of executables. */
public class Main {
    static class Sample {
        private int value;

        protected Sample(int value) {
            this.value = value;
        }

        static strictfp final synchronized String many(int count, String... rest) {
            return count + Arrays.toString(rest);
        }

        void fail() throws IllegalStateException, java.io.IOException {
            throw new IllegalStateException("failed");
        }

        private void hidden() {
        }
    }

    public static void main(String[] args) throws Exception {
        for (Method method : Arrays.stream(Sample.class.getDeclaredMethods()).filter(
                m -> !m.isSynthetic()).sorted(Comparator.comparing(Method::getName)).toList()) {
            System.out.println(method + " " + method.isVarArgs() + " " + method.getParameterCount() + " "
                    + Arrays.toString(method.getExceptionTypes()) + " " + method.isDefault());
        }
        Constructor<?> constructor = Sample.class.getDeclaredConstructors()[0];
        System.out.println(constructor + " " + Modifier.toString(constructor.getModifiers()));
        System.out.println(((Sample) constructor.newInstance(5)).value);
        Field field = Sample.class.getDeclaredField("value");
        Sample sample = new Sample(1);
        field.setInt(sample, 9);
        System.out.println(field.get(sample) + " " + field + " " + field.getType());
        try {
            Sample.class.getMethod("hidden");
        } catch (NoSuchMethodException thrown) {
            System.out.println(thrown.getMessage());
        }
        try {
            Sample.class.getDeclaredMethod("fail").invoke(sample);
        } catch (InvocationTargetException thrown) {
            System.out.println(thrown.getCause());
        }
        try {
            Sample.class.getDeclaredMethod("many", int.class, String[].class).invoke(sample, "wrong", null);
        } catch (IllegalArgumentException thrown) {
            System.out.println("argument");
        }
        System.out.println(Sample.class.getDeclaredMethod("many", int.class, String[].class).invoke(sample, 2,
                new String[] {"a"}));
        Object array = Array.newInstance(int.class, 2, 3);
        Array.setInt(Array.get(array, 1), 2, 7);
        System.out.println(Arrays.deepToString((int[][]) array) + Array.getLength(array));
        System.out.println(Sample.class.getModifiers() + " " + Sample.class.isMemberClass() + " "
                + Sample.class.getEnclosingClass().getSimpleName() + " " + int[][].class.getName() + " "
                + int[].class.getComponentType() + " " + Sample.class.arrayType().getSimpleName());
    }
}
