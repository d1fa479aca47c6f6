package generics.pollution;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;

/** Erasure at run time: heap pollution, generic arrays, bounded wildcards, bridges that cast. */
public final class Main {
    interface Source<T> {
        T next(T before);
    }

    static class Words implements Source<String> {
        @Override
        public String next(String before) {
            return before + "!";
        }
    }

    static class Box<T extends Number & Comparable<T>> {
        T value;

        Box(T value) {
            this.value = value;
        }

        int against(T other) {
            return value.compareTo(other) + value.intValue();
        }
    }

    @SafeVarargs
    private static <T> T[] array(T... all) {
        return all;
    }

    private static <T> T[] pair(T a, T b) {
        return array(a, b);
    }

    private static double sum(List<? extends Number> l) {
        double s = 0;
        for (Number n : l) {
            s += n.doubleValue();
        }
        return s;
    }

    private static <T extends Comparable<? super T>> T max(List<? extends T> l) {
        T best = l.get(0);
        for (T t : l) {
            best = t.compareTo(best) > 0 ? t : best;
        }
        return best;
    }

    private static void fill(List<? super Integer> l) {
        l.add(1);
        l.add(2);
    }

    @SuppressWarnings({"unchecked", "rawtypes"})
    public static void main(String[] args) {
        List<String> strings = new ArrayList<>();
        ((List) strings).add(42);
        System.out.println(strings.get(0) == (Object) 42);
        Runnable[] all = {() -> System.out.println(strings.get(0).length()), () -> {
            String s = strings.get(0);
        }, () -> ((Source) new Words()).next(5), () -> {
            String[] s = pair("a", "b");
        }, () -> new Box<>(5).against((Integer) (Comparable) "x"), () -> {
            Box raw = new Box(1);
            raw.value = 2.5;
            System.out.println(raw.value);
            raw.against(3);
        }, () -> {
            Object[] o = array("x", "y");
            o[0] = 1;
        }, () -> {
            List<Integer>[] lists = new List[1];
            ((Object[]) lists)[0] = List.of("s");
            int n = lists[0].get(0);
        }, () -> System.out.println(max((List) Arrays.asList("a", 1)))};
        for (int i = 0; i < all.length; i++) {
            try {
                all[i].run();
                System.out.println(i + " fine");
            } catch (ClassCastException e) {
                System.out.println(i + " cast");
            } catch (ArrayStoreException e) {
                System.out.println(i + " store");
            }
        }
        List<Object> sink = new ArrayList<>(List.of("s"));
        fill(sink);
        System.out.println(sink + " " + sum(List.of(1, 2.5, 3L)) + " " + max(List.of(3, 9, 4)) + " " + array().length + " " + array(1, "x").getClass().getSimpleName());
        Function<Object, ? extends Number> f = o -> o.hashCode();
        System.out.println(f.apply("a").intValue() + " " + new Box<>(5L).against(4L) + " " + ((Source) new Words()).next("raw"));
    }
}
