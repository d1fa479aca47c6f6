package library.messages;

import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.StringJoiner;
import java.util.UUID;

/** Objects, optionals, identifiers, joined text. */
public final class Main {
    public static void main(String[] args) {
        System.out.println(Objects.hash(1, "a", null) + " " + Objects.equals(null, null) + " " + Objects.toString(null, "d") + " " + Objects.requireNonNullElse(null, 5) + " " + Objects.compare(1, 2, Integer::compare) + " " + Objects.deepEquals(new int[] {1}, new int[] {1}));
        for (Runnable r : new Runnable[] {() -> Objects.requireNonNull(null, "missing"), () -> Objects.requireNonNull(null, () -> "late"), () -> Objects.checkIndex(5, 5), () -> Objects.checkFromToIndex(2, 1, 5)}) {
            try {
                r.run();
            } catch (NullPointerException | IndexOutOfBoundsException e) {
                System.out.println(e.getMessage());
            }
        }
        Optional<String> o = Optional.of("value");
        Optional<String> none = Optional.empty();
        System.out.println(o.map(String::length).filter(n -> n > 3) + " " + none.or(() -> o).get() + " " + none.map(String::length).orElseGet(() -> -1) + " " + o.flatMap(x -> Optional.<Integer>empty()) + " " + o.stream().count() + none.isPresent());
        none.ifPresentOrElse(x -> System.out.println("there"), () -> System.out.println("absent"));
        System.out.println(OptionalInt.of(3) + " " + OptionalInt.empty() + " " + OptionalInt.empty().orElse(4) + " " + Optional.ofNullable(null).equals(none) + " " + o.hashCode());
        try {
            none.orElseThrow();
        } catch (java.util.NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
        UUID u = new UUID(0x0123456789abcdefL, 0x8edcba9876543210L);
        System.out.println(u + " " + u.version() + " " + u.variant() + " " + UUID.fromString("1-2-3-4-5") + " " + u.compareTo(UUID.fromString(u.toString())) + " " + u.hashCode());
        StringJoiner j = new StringJoiner("|", "<", ">");
        j.add("a").add(String.format(Locale.ROOT, "%08.3f", -3.14159));
        System.out.println(j + " " + String.join(",", new java.util.TreeSet<>(java.util.List.of("z", "y"))) + " " + new Locale("de", "CH").toLanguageTag());
    }
}
