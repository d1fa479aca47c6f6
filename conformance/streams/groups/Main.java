package streams.groups;

import java.util.Comparator;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Collectors: groups, partitions, joins, statistics, teeing. */
public class Main {
    static void show(Object shown) {
        System.out.println(shown);
    }

    public static void main(String[] args) {
        List<String> words = List.of("apple", "bob", "cat", "avocado", "banana", "cherry");
        show(new TreeMap<>(words.stream().collect(Collectors.groupingBy(w -> w.charAt(0)))));
        show(words.stream().collect(Collectors.partitioningBy(w -> w.length() > 4,
                Collectors.counting())));
        show(words.stream().collect(Collectors.groupingBy(String::length, TreeMap::new,
                Collectors.mapping(String::toUpperCase, Collectors.joining("|", "<", ">")))));
        show(words.stream().collect(Collectors.toMap(w -> w.charAt(0), w -> w,
                (a, b) -> a + "+" + b, TreeMap::new)));
        show(words.stream().collect(Collectors.summarizingInt(String::length)));
        show(words.stream().collect(Collectors.teeing(Collectors.counting(),
                Collectors.averagingInt(String::length), (n, mean) -> n + "/" + mean)));
        show(words.stream().collect(Collectors.reducing("", w -> w.substring(0, 1),
                String::concat)));
        show(words.stream().collect(Collectors.collectingAndThen(Collectors.toList(),
                List::size)));
        show(words.stream().collect(Collectors.filtering(w -> w.contains("a"),
                Collectors.flatMapping(w -> w.chars().mapToObj(c -> (char) c), Collectors.toCollection(
                        TreeSet::new)))));
        show(words.stream().min(Comparator.comparing(String::length).thenComparing(
                Comparator.reverseOrder())).get());
        try {
            words.stream().collect(Collectors.toMap(w -> w.charAt(0), w -> w));
        } catch (IllegalStateException thrown) {
            show(thrown.getMessage());
        }
        show(Stream.iterate(1, n -> n < 100, n -> n * 3).takeWhile(n -> n < 50)
                .dropWhile(n -> n < 3).toList());
        show(IntStream.of(3, 1, 2).sorted().mapToObj(n -> "n" + n).collect(
                Collectors.joining()) + Stream.of(1, 2).<Object>mapMulti((n, sink) -> {
                    sink.accept(n);
                    sink.accept(-n);
                }).toList());
    }
}
