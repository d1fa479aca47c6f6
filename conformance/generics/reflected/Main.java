package generics.reflected;

import java.lang.reflect.GenericArrayType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.lang.reflect.TypeVariable;
import java.lang.reflect.WildcardType;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;

/** Generic types as reflection shows them. */
public class Main {
    static class Sample<T extends Comparable<T> & Runnable> extends ArrayList<T>
            implements Iterable<T> {
        Map<String, ? super List<T>> map;
        List<String>[] array;

        <R, S extends R> R pick(R first, List<? extends S> others) throws IllegalStateException {
            return first;
        }

        static <E extends Exception> void check(Class<E> type) throws E {
        }
    }

    public static void main(String[] args) throws Exception {
        for (Method method : Arrays.stream(Sample.class.getDeclaredMethods()).sorted(Comparator.comparing(
                Method::getName)).toList()) {
            System.out.println(method.toGenericString());
        }
        System.out.println(Sample.class.toGenericString());
        TypeVariable<?> variable = Sample.class.getTypeParameters()[0];
        System.out.println(variable.getName() + " " + Arrays.toString(variable.getBounds()));
        Type field = Sample.class.getDeclaredField("map").getGenericType();
        ParameterizedType map = (ParameterizedType) field;
        System.out.println(map.getRawType() + " " + Arrays.toString(map.getActualTypeArguments()));
        WildcardType wildcard = (WildcardType) map.getActualTypeArguments()[1];
        System.out.println(Arrays.toString(wildcard.getLowerBounds()) + Arrays.toString(
                wildcard.getUpperBounds()));
        System.out.println(Sample.class.getGenericSuperclass() + " "
                + Arrays.toString(Sample.class.getGenericInterfaces()));
        GenericArrayType array = (GenericArrayType) Sample.class.getDeclaredField("array").getGenericType();
        System.out.println(array + " " + array.getGenericComponentType());
        System.out.println(new ArrayList<String>() { }.getClass().getGenericSuperclass());
        System.out.println(Sample.class.getDeclaredMethod("pick", Object.class, List.class)
                .getGenericReturnType());
    }
}
