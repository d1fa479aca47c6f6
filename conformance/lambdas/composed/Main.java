package lambdas.composed;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.function.BiFunction;
import java.util.function.BinaryOperator;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntUnaryOperator;
import java.util.function.LongUnaryOperator;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Functions composed, curried, partially applied and passed on. */
public class Main {
    static IntUnaryOperator fixed(int added) {
        return value -> value + added;
    }

    static LongUnaryOperator recursive() {
        return n -> n <= 1 ? 1 : n * recursive().applyAsLong(n - 1);
    }

    public static void main(String[] args) {
        Function<Integer, Integer> twice = n -> 2 * n;
        Function<Integer, Integer> next = n -> n + 1;
        System.out.println(twice.andThen(next).apply(5) + " " + twice.compose(next).apply(5) + " "
                + Function.<Integer>identity().apply(7));
        Predicate<String> empty = String::isEmpty;
        System.out.println(empty.negate().and(s -> s.length() > 2).or(s -> s.equals("x")).test("x") + " "
                + Predicate.not(empty).test("") + " " + Predicate.isEqual("a").test("a"));
        Function<Integer, Function<Integer, Integer>> curried = a -> b -> a * b;
        System.out.println(curried.apply(6).apply(7));
        BinaryOperator<Integer> largest = BinaryOperator.maxBy(Comparator.naturalOrder());
        System.out.println(largest.apply(3, 9) + " " + BinaryOperator.minBy(Comparator.<Integer>
                reverseOrder()).apply(3, 9));
        Supplier<Supplier<String>> nested = () -> () -> "nested";
        System.out.println(nested.get().get());
        UnaryOperator<String> upper = String::toUpperCase;
        System.out.println(upper.andThen(String::length).apply("abc"));
        BiFunction<String, Integer, Character> at = String::charAt;
        System.out.println(at.andThen(Character::getNumericValue).apply("a5", 1));
        Function<Integer, int[]> make = int[]::new;
        System.out.println(make.apply(4).length);
        Supplier<ArrayList<String>> list = ArrayList::new;
        System.out.println(list.get().add("x"));
        Function<Object, String> text = Object::toString;
        System.out.println(text.apply(12) + fixed(10).applyAsInt(5) + recursive().applyAsLong(20));
        Consumer<StringBuilder> both = ((Consumer<StringBuilder>) b -> b.append("a")).andThen(
                b -> b.append("b"));
        StringBuilder builder = new StringBuilder();
        both.accept(builder);
        System.out.println(builder);
        Runnable throwing = () -> {
            throw new IllegalStateException("in lambda");
        };
        try {
            throwing.run();
        } catch (IllegalStateException thrown) {
            System.out.println(thrown.getMessage());
        }
    }
}
