package reflection.parameters;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Parameter;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;

/** Parameters of methods and constructors, components of records, and what they are annotated with. */
public class Main {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.PARAMETER, ElementType.RECORD_COMPONENT})
    @interface Plain {
        String value();
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target(ElementType.TYPE_USE)
    @interface Used {
        int value();
    }

    record Pair(@Plain("left") int left, @Used(2) List<@Used(3) String> right) {
        Pair {
            if (left < 0) {
                throw new IllegalArgumentException();
            }
        }
    }

    record Whole(long one, String two) {
    }

    enum Colour {
        RED(1);

        Colour(int number) {
        }
    }

    class Inner {
        Inner(String text, int number) {
        }
    }

    static void varied(@Plain("a") int first, String... rest) {
    }

    private static void show(Executable executable) {
        System.out.println(executable.getName() + " " + executable.getParameterCount());
        for (Parameter parameter : executable.getParameters()) {
            System.out.println("  " + parameter.getName() + " " + parameter.isNamePresent() + " "
                + parameter.getModifiers() + " " + parameter.isImplicit() + parameter.isSynthetic()
                + parameter.isVarArgs() + " " + parameter.getParameterizedType() + " "
                + Arrays.toString(parameter.getAnnotations()));
        }
    }

    public static void main(String[] args) throws Exception {
        Class<?>[] classes = {Pair.class, Whole.class, Colour.class, Inner.class};
        for (Class<?> type : classes) {
            for (Constructor<?> constructor : type.getDeclaredConstructors()) {
                show(constructor);
            }
        }
        show(Main.class.getDeclaredMethod("varied", int.class, String[].class));
        show(Colour.class.getMethod("valueOf", String.class));
        for (RecordComponent component : Pair.class.getRecordComponents()) {
            System.out.println(component + " " + Arrays.toString(component.getAnnotations()) + " "
                + Arrays.toString(component.getAnnotatedType().getAnnotations()) + " "
                + component.getGenericSignature());
        }
    }
}
