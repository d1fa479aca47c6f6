package reflection.annotations;

import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.util.Arrays;

/** Annotations kept at run time: values, defaults, inheritance, equality. */
public class Main {
    enum Level { LOW, HIGH }

    @Retention(RetentionPolicy.RUNTIME)
    @Inherited
    @interface Info {
        String name();
        int size() default 3;
        long big() default 1L << 40;
        double ratio() default 0.5;
        char letter() default 'q';
        boolean on() default true;
        Level level() default Level.LOW;
        Class<?> type() default Object.class;
        int[] numbers() default {1, 2};
        Tag tag() default @Tag("inner");
        Tag[] tags() default {};
    }

    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE, ElementType.METHOD, ElementType.FIELD, ElementType.PARAMETER, ElementType.CONSTRUCTOR})
    @interface Tag {
        String value();
    }

    @interface Forgotten { }

    @Info(name = "base", numbers = {7}, tags = {@Tag("x"), @Tag("y")}, level = Level.HIGH, type = String[].class)
    @Forgotten
    static class Base {
        @Tag("field") int field;

        @Tag("constructor") Base() { }

        @Tag("method") @Deprecated void method(@Tag("parameter") int a, String b) { }
    }

    static class Derived extends Base { }

    @Info(name = "base", numbers = {7}, tags = {@Tag("x"), @Tag("y")}, level = Level.HIGH, type = String[].class)
    static class Same { }

    public static void main(String[] args) throws Exception {
        Info info = Base.class.getAnnotation(Info.class);
        System.out.println(info.name() + " " + info.size() + " " + info.big() + " " + info.ratio() + " " + info.letter() + " " + info.on());
        System.out.println(info.level() + " " + info.type() + " " + Arrays.toString(info.numbers()) + " " + info.tag().value() + " " + info.tags().length + info.tags()[1].value());
        System.out.println(info.annotationType() + " " + Base.class.getAnnotations().length + " " + Base.class.isAnnotationPresent(Forgotten.class));
        Info inherited = Derived.class.getAnnotation(Info.class);
        System.out.println((inherited != null) + " " + Derived.class.getDeclaredAnnotations().length + " " + (Derived.class.getDeclaredAnnotation(Info.class) == null));
        Info same = Same.class.getAnnotation(Info.class);
        System.out.println(info.equals(same) + " " + (info.hashCode() == same.hashCode()) + " " + info.equals("other"));
        System.out.println(Base.class.getDeclaredField("field").getAnnotation(Tag.class).value());
        System.out.println(Base.class.getDeclaredConstructor().getAnnotation(Tag.class).value());
        var method = Base.class.getDeclaredMethod("method", int.class, String.class);
        System.out.println(method.getAnnotation(Tag.class).value() + " " + method.isAnnotationPresent(Deprecated.class) + " " + method.getAnnotations().length);
        System.out.println(method.getParameterAnnotations().length + " " + method.getParameterAnnotations()[0].length + " "
                + ((Tag) method.getParameterAnnotations()[0][0]).value() + " " + method.getParameterAnnotations()[1].length);
        System.out.println(Info.class.getDeclaredMethod("size").getDefaultValue() + " " + Info.class.getDeclaredMethod("name").getDefaultValue());
        System.out.println(Info.class.isAnnotation() + " " + Runnable.class.isAnnotationPresent(FunctionalInterface.class));
    }
}
