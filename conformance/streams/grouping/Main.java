package streams.grouping;

import java.util.Arrays;
import java.util.Comparator;
import java.util.IntSummaryStatistics;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Streams: laziness, grouping, partitioning, toMap, flat mapping, statistics, iterating. */
public final class Main {
    record Person(String name, int age, String city) {}

    public static void main(String[] args) {
        List<Person> all = List.of(new Person("Ann", 31, "Oslo"), new Person("Bob", 25, "Rome"), new Person("Cid", 40, "Oslo"), new Person("Dee", 25, "Bern"), new Person("Eve", 31, "Rome"));
        System.out.println("" + all.stream().collect(Collectors.groupingBy(Person::city, TreeMap::new, Collectors.mapping(Person::name, Collectors.joining("+", "<", ">")))));
        System.out.println("" + all.stream().collect(Collectors.partitioningBy(p -> p.age() > 30, Collectors.counting())));
        System.out.println(new TreeMap<>(all.stream().collect(Collectors.toMap(Person::age, Person::name, (a, b) -> a + "&" + b))));
        System.out.println(all.stream().sorted(Comparator.comparingInt(Person::age).reversed().thenComparing(Person::name, Comparator.reverseOrder())).map(Person::name).toList());
        IntSummaryStatistics s = all.stream().collect(Collectors.summarizingInt(Person::age));
        System.out.println(s + " " + all.stream().collect(Collectors.averagingInt(Person::age)));
        System.out.println("" + all.stream().collect(Collectors.teeing(Collectors.counting(), Collectors.minBy(Comparator.comparing(Person::age)), (n, m) -> n + " " + m.get())));
        System.out.println("" + all.stream().collect(Collectors.groupingBy(Person::age, TreeMap::new, Collectors.collectingAndThen(Collectors.toList(), l -> l.get(l.size() - 1).name()))));
        System.out.println("" + all.stream().collect(Collectors.groupingBy(Person::city, TreeMap::new, Collectors.reducing(0, Person::age, Integer::sum))));
        System.out.println("" + all.stream().collect(Collectors.groupingBy(Person::city, TreeMap::new, Collectors.flatMapping(p -> p.name().chars().mapToObj(c -> (char) c), Collectors.filtering(Character::isLowerCase, Collectors.toList())))));
        StringBuilder log = new StringBuilder();
        int first = Stream.of(5, 3, 8, 1).peek(x -> log.append('p').append(x)).filter(x -> x > 4).peek(x -> log.append('q').append(x)).skip(1).findFirst().get();
        System.out.println(first + " " + log);
        System.out.println(Stream.iterate(1, x -> x * 3).limit(8).map(String::valueOf).collect(Collectors.joining(",")) + " " + Stream.iterate(100, x -> x > 3, x -> x / 2).toList());
        System.out.println(Stream.of(List.of(1, 2), List.<Integer>of(), List.of(3)).flatMap(List::stream).map(x -> x * x).reduce(0, Integer::sum) + " " + Stream.of(1, 2, 3, 4, 1).takeWhile(x -> x < 3).count() + " " + Stream.of(1, 2, 3, 4, 1).dropWhile(x -> x < 3).toList());
        System.out.println(Stream.of("b", "a", "c", "a").distinct().sorted().toList() + " " + Stream.of("x").findAny().isPresent() + " " + Stream.empty().max((a, b) -> 0).isPresent() + Stream.of(1, 2).noneMatch(x -> x > 2) + Stream.of(1, 2).allMatch(x -> x > 1));
        System.out.println(IntStream.rangeClosed(1, 5).mapToObj(i -> "x".repeat(i)).toList() + " " + IntStream.range(0, 10).boxed().collect(Collectors.toMap(Function.identity(), i -> i * i)).get(7));
        System.out.println(LongStream.rangeClosed(1, 20).reduce(1, (a, b) -> a * b) + " " + DoubleStream.of(1.5, 2.5, 3).average().getAsDouble() + " " + DoubleStream.of(0.1, 0.2, 0.3).sum() + " " + IntStream.of(3, 1, 2).sorted().mapToLong(i -> i).summaryStatistics());
        System.out.println(Stream.of(1, 2, 3).<String>mapMulti((x, sink) -> {
            for (int i = 0; i < x; i++) {
                sink.accept(x + "" + i);
            }
        }).toList() + Arrays.toString(Stream.of(1, 2, 3).mapToInt(x -> x).toArray()));
        try {
            Stream.of("a", "b", "a").collect(Collectors.toMap(x -> x, x -> 1));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        Stream<Integer> used = Stream.of(1);
        used.count();
        try {
            used.count();
        } catch (IllegalStateException e) {
            System.out.println("used");
        }
        Map<Boolean, List<Integer>> parts = IntStream.range(0, 10).boxed().collect(Collectors.partitioningBy(x -> x % 3 == 0));
        System.out.println(parts + " " + Stream.concat(Stream.of(1), Stream.of(2)).toList() + Stream.generate(() -> 7).limit(2).toList() + Stream.ofNullable(null).count());
        StringBuilder closed = new StringBuilder();
        try (Stream<Integer> c = Stream.of(1).onClose(() -> closed.append("closed"))) {
            closed.append(c.count());
        }
        System.out.println(closed + " " + IntStream.range(0, 1000).filter(i -> i % 7 == 0).sum());
    }
}
