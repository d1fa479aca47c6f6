package library.joiners;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.StringJoiner;

/** Optionals, objects, comparators and string builders. */
public class Main {
    public static void main(String[] args) {
        Optional<String> some = Optional.of("value");
        Optional<String> none = Optional.empty();
        System.out.println(some.map(String::length).get() + " " + none.map(String::length).isPresent() + " "
                + none.orElse("other") + some.filter(String::isEmpty) + none.or(() -> some).get());
        System.out.println(some.flatMap(s -> Optional.of(s + "!")) + " " + some.stream().count() + " "
                + OptionalInt.of(3) + OptionalDouble.empty());
        some.ifPresentOrElse(s -> System.out.println("has " + s), () -> System.out.println("none"));
        for (Runnable attempt : new Runnable[] {none::get, () -> none.orElseThrow(
                IllegalStateException::new), () -> Optional.of(null), () -> Objects.checkIndex(3, 3),
                () -> Objects.requireNonNull(null, "needed")}) {
            try {
                attempt.run();
            } catch (RuntimeException thrown) {
                System.out.println(thrown.getClass().getSimpleName() + " " + thrown.getMessage());
            }
        }
        System.out.println(Objects.equals(null, null) + " " + Objects.hash(1, "a", null) + " "
                + Objects.toString(null, "nil") + " " + Objects.requireNonNullElse(null, 5));
        List<String> words = new ArrayList<>(Arrays.asList("b", null, "A", "c"));
        words.sort(Comparator.nullsLast(String.CASE_INSENSITIVE_ORDER.reversed()));
        System.out.println(words);
        StringBuilder builder = new StringBuilder("hello");
        builder.insert(0, 1.5).reverse().setCharAt(0, 'X');
        builder.deleteCharAt(1).replace(0, 2, "__").append(true).append('c').append(new char[] {'d'}, 0, 1);
        System.out.println(builder + " " + builder.indexOf("e") + " " + builder.compareTo(
                new StringBuilder("a")));
        StringJoiner joiner = new StringJoiner(", ", "{", "}").setEmptyValue("EMPTY");
        System.out.println(joiner + joiner.add("a").add("b").toString() + joiner.length());
    }
}
