package generics.classes;

import java.util.ArrayList;
import java.util.List;

/** Generic classes and methods: bounds, wildcards, erasure, casts at use, heap pollution. */
public class Main {
    static class Box<T> {
        private T value;

        Box(T value) { this.value = value; }
        T get() { return value; }
        <R> Box<R> map(java.util.function.Function<? super T, ? extends R> f) { return new Box<>(f.apply(value)); }
        boolean same(Box<?> other) { return value == null ? other.value == null : value.equals(other.value); }
    }

    static class Stack<E> {
        private Object[] items = new Object[2];
        private int size;

        void push(E e) {
            if (size == items.length) items = java.util.Arrays.copyOf(items, size * 2);
            items[size++] = e;
        }

        @SuppressWarnings("unchecked")
        E pop() { return (E) items[--size]; }
    }

    static double sum(List<? extends Number> numbers) {
        double s = 0;
        for (Number n : numbers) s += n.doubleValue();
        return s;
    }

    static void fill(List<? super Integer> target) {
        for (int i = 0; i < 3; i++) target.add(i);
    }

    static <T extends Comparable<? super T>> T largest(List<T> list) {
        T best = list.get(0);
        for (T t : list) if (t.compareTo(best) > 0) best = t;
        return best;
    }

    static <T extends Number & Comparable<T>> String both(T a, T b) {
        return a.intValue() + (a.compareTo(b) < 0 ? "<" : ">=") + b.doubleValue();
    }

    @SafeVarargs
    static <T> List<T> listOf(T... items) {
        List<T> l = new ArrayList<>();
        for (T t : items) l.add(t);
        l.add(null);
        return l;
    }

    @SuppressWarnings("unchecked")
    static <T> T[] pair(T a, T b) {
        return (T[]) new Object[] {a, b};
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        System.out.println(new Box<>("text").map(String::length).map(n -> n * 1.5).get());
        System.out.println(new Box<>(5).same(new Box<>(5L)) + " " + new Box<>(null).same(new Box<>(null)));
        Stack<Long> stack = new Stack<>();
        for (long i = 0; i < 5; i++) stack.push(i << 33);
        long total = stack.pop() + stack.pop();
        System.out.println(total);
        System.out.println(sum(List.of(1, 2.5, 3L, (byte) 4)));
        List<Number> numbers = new ArrayList<>();
        fill(numbers);
        List<Object> objects = new ArrayList<>();
        fill(objects);
        System.out.println(numbers + " " + objects);
        System.out.println(largest(List.of("b", "c", "a")) + largest(List.of(3, 9, 4)));
        System.out.println(both(3, 4) + " " + both(2.5, 1.5));
        System.out.println(listOf(1, "two", 3.0));
        List<String> strings = new ArrayList<>();
        ((List) strings).add(42);
        System.out.println(strings.size() + " " + strings);
        try {
            String s = strings.get(0);
        } catch (ClassCastException e) {
            System.out.println("cast when read");
        }
        try {
            String[] p = pair("a", "b");
        } catch (ClassCastException e) {
            System.out.println("Object[] is no String[]");
        }
        System.out.println(new ArrayList<String>().getClass() == new ArrayList<Integer>().getClass());
        Box<Box<String>> nested = new Box<>(new Box<>("in"));
        System.out.println(nested.get().get().charAt(1) + nested.map(Box::get).get());
    }
}
