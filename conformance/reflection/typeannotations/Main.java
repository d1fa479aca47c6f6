package reflection.typeannotations;

import java.lang.annotation.Annotation;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Annotations on uses of types, wherever reflection shows them. */
public class Main {
    @Retention(RetentionPolicy.RUNTIME)
    @Target({ElementType.TYPE_USE, ElementType.TYPE_PARAMETER})
    @interface Mark {
        int value() default 1;
    }

    static class Sub<@Mark(7) T extends @Mark(8) Number> extends @Mark(2) ArrayList<@Mark(3) String>
        implements @Mark(4) Runnable {
        @Mark(5) Object field;
        Map<@Mark(10) String, ? extends @Mark(11) Integer> map;
        @Mark(12) int @Mark(13) [] array;

        @Override
        public void run() {
        }

        @Mark(6)
        Object method(@Mark(9) String parameter, List<@Mark(15) Long> other) throws @Mark(14) Exception {
            return null;
        }
    }

    private static String text(AnnotatedType type) {
        StringBuilder text = new StringBuilder();
        for (Annotation annotation : type.getAnnotations()) {
            text.append("M").append(((Mark) annotation).value());
        }
        text.append(type.getType().getTypeName());
        if (type instanceof AnnotatedParameterizedType) {
            for (AnnotatedType argument : ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()) {
                text.append('<').append(text(argument)).append('>');
            }
        }
        if (type instanceof AnnotatedArrayType) {
            AnnotatedType component = ((AnnotatedArrayType) type).getAnnotatedGenericComponentType();
            text.append('[').append(text(component)).append(']');
        }
        return text.toString();
    }

    public static void main(String[] args) throws Exception {
        System.out.println(text(Sub.class.getAnnotatedSuperclass()));
        System.out.println(text(Sub.class.getAnnotatedInterfaces()[0]));
        System.out.println(Sub.class.getTypeParameters()[0].getAnnotations().length);
        System.out.println(text(Sub.class.getTypeParameters()[0].getAnnotatedBounds()[0]));
        for (String field : new String[] {"field", "map", "array"}) {
            System.out.println(text(Sub.class.getDeclaredField(field).getAnnotatedType()));
        }
        Method method = Sub.class.getDeclaredMethod("method", String.class, List.class);
        System.out.println(text(method.getAnnotatedReturnType()));
        for (AnnotatedType type : method.getAnnotatedParameterTypes()) {
            System.out.println(text(type));
        }
        System.out.println(text(method.getAnnotatedExceptionTypes()[0]));
        System.out.println(text(method.getAnnotatedReceiverType()));
        System.out.println(text(Main.class.getAnnotatedSuperclass()));
    }
}
