package streams.pipelines;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Sequential streams of objects: laziness, order, short-circuiting, flatMap, iterate. */
public class Main {
    public static void main(String[] args) {
        List<String> words = List.of("delta", "alpha", "charlie", "bravo", "echo", "alpha");
        System.out.println(words.stream().filter(w -> w.length() == 5).map(String::toUpperCase).collect(Collectors.toList()));
        System.out.println(words.stream().distinct().sorted().skip(1).limit(3).toList());
        System.out.println(words.stream().map(String::length).reduce(0, Integer::sum) + " " + words.stream().reduce((a, b) -> a.charAt(0) + b));
        List<String> log = new ArrayList<>();
        Optional<String> found = words.stream().peek(w -> log.add("see " + w)).filter(w -> w.startsWith("c")).peek(w -> log.add("take " + w)).findFirst();
        System.out.println(found + " " + log);
        log.clear();
        Stream<String> lazy = words.stream().peek(log::add);
        System.out.println(log.size() + " " + lazy.count());
        System.out.println(words.stream().anyMatch(w -> w.contains("v")) + " " + words.stream().allMatch(w -> w.length() > 4) + " " + words.stream().noneMatch(String::isEmpty));
        System.out.println(Stream.of(List.of(1, 2), List.<Integer>of(), List.of(3)).flatMap(List::stream).map(i -> i * i).toList());
        System.out.println(Stream.iterate(1, i -> i * 3).limit(6).toList() + " " + Stream.iterate(1, i -> i < 100, i -> i * 2).toList());
        System.out.println(Stream.generate(() -> "g").limit(3).collect(Collectors.joining("-", "<", ">")));
        System.out.println(words.stream().max(String::compareTo).get() + " " + words.stream().min((a, b) -> a.length() - b.length()).orElse("none"));
        System.out.println(Arrays.toString(words.stream().map(w -> w.charAt(0)).toArray()) + " " + words.stream().toArray(String[]::new).length);
        System.out.println(Stream.of(5, 3, 1, 4).takeWhile(i -> i != 1).toList() + " " + Stream.of(5, 3, 1, 4).dropWhile(i -> i > 2).toList());
        System.out.println(Stream.concat(Stream.of("a"), Stream.of("b", "c")).collect(Collectors.toCollection(java.util.TreeSet::new)).descendingSet());
        System.out.println(Stream.of(1, 2, 3, 4).<String>mapMulti((i, sink) -> {
            if (i % 2 == 0) {
                sink.accept("m" + i);
                sink.accept("n" + i);
            }
        }).toList());
        words.stream().sorted((a, b) -> b.compareTo(a)).forEachOrdered(w -> System.out.print(w + " "));
        System.out.println();
        Stream<Integer> used = Stream.of(1, 2);
        used.count();
        try {
            used.count();
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(Stream.empty().findAny().isPresent() + " " + Stream.ofNullable(null).count() + " " + Stream.of(1, 2, 3).iterator().next());
        try {
            Stream.of(1, 2).map(i -> i / (i - 2)).toList();
        } catch (ArithmeticException e) {
            System.out.println(e.getMessage());
        }
    }
}
