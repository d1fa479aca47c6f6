package lambdas.composition;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.IntUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Functions composed, curried, recursive; comparators chained; custom iterables. */
public final class Main {
    interface Fix<T> extends Function<Fix<T>, T> {}

    static final class Range implements Iterable<Integer> {
        private final int from;
        private final int to;

        Range(int from, int to) {
            this.from = from;
            this.to = to;
        }

        @Override
        public java.util.Iterator<Integer> iterator() {
            return new java.util.Iterator<>() {
                private int at = from;

                @Override
                public boolean hasNext() {
                    return at < to;
                }

                @Override
                public Integer next() {
                    return at++;
                }
            };
        }
    }

    private static <A, B, C> Function<A, Function<B, C>> curry(BiFunction<A, B, C> f) {
        return a -> b -> f.apply(a, b);
    }

    public static void main(String[] args) {
        Function<Integer, Integer> inc = x -> x + 1;
        Function<Integer, Integer> dbl = x -> x * 2;
        System.out.println(inc.andThen(dbl).apply(5) + " " + inc.compose(dbl).apply(5) + " " + Function.<Integer>identity().andThen(inc).apply(1));
        IntUnaryOperator f = x -> x * x;
        IntPredicate even = x -> x % 2 == 0;
        System.out.println(f.andThen(x -> -x).compose(x -> x - 1).applyAsInt(4) + " " + even.negate().or(x -> x > 10).and(x -> x != 13).test(12));
        System.out.println(curry((Integer a, Integer b) -> a - b).apply(10).apply(3) + " " + BinaryOperator.minBy(Comparator.<Integer>naturalOrder()).apply(3, 2));
        Fix<IntUnaryOperator> fix = self -> n -> n < 2 ? 1 : n * self.apply(self).applyAsInt(n - 1);
        System.out.println(fix.apply(fix).applyAsInt(10));
        List<Supplier<Integer>> later = new ArrayList<>();
        for (int i : new Range(0, 4)) {
            later.add(() -> i * i);
        }
        later.forEach(s -> System.out.print(s.get() + " "));
        System.out.println();
        Consumer<List<String>> add = l -> l.add("a");
        List<String> out = new ArrayList<>();
        add.andThen(l -> l.add("b")).andThen(l -> l.replaceAll(String::toUpperCase)).accept(out);
        System.out.println(out + " " + Predicate.not(String::isEmpty).and(Predicate.isEqual("x")).test("x"));
        List<String> words = new ArrayList<>(java.util.Arrays.asList("pear", null, "fig", "apple", "kiwi", null));
        words.sort(Comparator.nullsFirst(Comparator.comparingInt(String::length).reversed().thenComparing(Comparator.naturalOrder())));
        System.out.println(words);
        words.sort(Comparator.nullsLast(Comparator.<String>naturalOrder().reversed()));
        System.out.println(words);
        UnaryOperator<UnaryOperator<Integer>> twice = g -> x -> g.apply(g.apply(x));
        System.out.println(twice.apply(twice.apply(x -> x + 3)).apply(0));
    }
}
