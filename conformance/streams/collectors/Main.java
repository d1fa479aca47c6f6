package streams.collectors;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Collectors: grouping, partitioning, joining, mapping, reducing, teeing, to maps. */
public class Main {
    record Item(String name, String kind, int price) { }

    static void show(Object o) {
        System.out.println(o);
    }

    public static void main(String[] args) {
        List<Item> items = List.of(new Item("apple", "fruit", 3), new Item("carrot", "root", 1), new Item("pear", "fruit", 4),
                new Item("beet", "root", 2), new Item("mint", "herb", 5));
        show(items.stream().collect(Collectors.groupingBy(Item::kind, TreeMap::new, Collectors.mapping(Item::name, Collectors.toList()))));
        show(items.stream().collect(Collectors.groupingBy(Item::kind, TreeMap::new, Collectors.summingInt(Item::price))));
        show(items.stream().collect(Collectors.groupingBy(i -> i.name().length(), Collectors.counting())));
        show(items.stream().collect(Collectors.partitioningBy(i -> i.price() > 2, Collectors.mapping(Item::name, Collectors.joining("+")))));
        show(items.stream().map(Item::name).collect(Collectors.joining(", ", "[", "]")));
        Map<String, Integer> prices = items.stream().collect(Collectors.toMap(Item::name, Item::price, (a, b) -> a, TreeMap::new));
        System.out.println(prices);
        try {
            items.stream().collect(Collectors.toMap(Item::kind, Function.identity()));
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage());
        }
        show(items.stream().collect(Collectors.averagingInt(Item::price)) + " " + items.stream().collect(Collectors.summarizingDouble(Item::price)).getMax());
        show(items.stream().collect(Collectors.teeing(Collectors.counting(), Collectors.minBy((a, b) -> a.price() - b.price()), (n, min) -> n + " " + min.get())));
        show(items.stream().map(Item::price).collect(Collectors.reducing(1, (a, b) -> a * b)));
        show(items.stream().collect(Collectors.collectingAndThen(Collectors.toList(), List::size)));
        show(items.stream().collect(Collectors.groupingBy(Item::kind, TreeMap::new, Collectors.collectingAndThen(Collectors.maxBy((a, b) -> a.price() - b.price()), o -> o.get().name()))));
        show(Stream.of("a", "bb", "cc").collect(Collectors.toMap(String::length, s -> s, (x, y) -> x + y)));
        show(items.stream().collect(Collectors.filtering(i -> i.price() < 3, Collectors.toList())));
        show(items.stream().collect(StringBuilder::new, (sb, i) -> sb.append(i.price()), StringBuilder::append));
        show(Stream.of(3, 1, 2).collect(Collectors.toUnmodifiableList()) + " " + Stream.of(1, 1).collect(Collectors.toSet()));
    }
}
