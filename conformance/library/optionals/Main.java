package library.optionals;

import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.OptionalInt;

/** Optional and its primitive forms. */
public class Main {
    public static void main(String[] args) {
        Optional<String> full = Optional.of("value"), empty = Optional.empty();
        System.out.println(full + " " + empty + " " + full.get() + " " + full.isPresent() + " " + empty.isEmpty());
        System.out.println(full.map(String::length) + " " + empty.map(String::length) + " " + full.map(s -> null) + " " + full.filter(s -> s.isEmpty()));
        System.out.println(full.orElse("x") + " " + empty.orElse("x") + " " + empty.orElseGet(() -> "made") + " " + empty.or(() -> full));
        System.out.println(full.flatMap(s -> Optional.of(s + "!")) + " " + Optional.ofNullable(null).equals(empty) + " " + full.equals(Optional.of("value")) + " " + full.hashCode());
        full.ifPresent(s -> System.out.println("present " + s));
        empty.ifPresent(s -> System.out.println("never"));
        empty.ifPresentOrElse(s -> System.out.println("never"), () -> System.out.println("absent"));
        try {
            empty.get();
        } catch (NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        try {
            empty.orElseThrow(() -> new IllegalStateException("supplied"));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            Optional.of(null);
        } catch (NullPointerException e) {
            System.out.println("of null");
        }
        System.out.println(OptionalInt.of(3) + " " + OptionalInt.empty() + " " + OptionalInt.of(4).getAsInt() + " " + OptionalInt.empty().orElse(-1));
        System.out.println(full.stream().count() + " " + empty.stream().count());
    }
}
