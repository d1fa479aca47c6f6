package streams.parallel;

import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Parallel streams whose results do not depend on the order of work. */
public class Main {
    public static void main(String[] args) {
        System.out.println(IntStream.rangeClosed(1, 5000).parallel().asLongStream().sum());
        System.out.println(IntStream.range(0, 2000).parallel().filter(n -> n % 7 == 0).count());
        List<Integer> squares = IntStream.range(0, 50).parallel().map(n -> n * n).boxed().toList();
        System.out.println(squares.get(49) + " " + squares.size());
        System.out.println(Stream.of("b", "a", "c").parallel().sorted().collect(
                Collectors.joining(",")));
        System.out.println(new TreeMap<>(IntStream.range(0, 100).boxed().parallel().collect(
                Collectors.groupingBy(n -> n % 3, Collectors.summingInt(n -> n)))));
        System.out.println(IntStream.range(0, 1000).parallel().reduce(0, Integer::max));
        System.out.println(IntStream.range(0, 100).parallel().mapToObj(Integer::toString)
                .limit(5).collect(Collectors.toList()));
        System.out.println(IntStream.range(0, 1000).parallel().anyMatch(n -> n == 999) + " "
                + IntStream.range(0, 1000).parallel().allMatch(n -> n < 999));
        int[] numbers = new int[1000];
        Arrays.parallelSetAll(numbers, n -> (n * 7919) % 1000);
        Arrays.parallelSort(numbers);
        System.out.println(numbers[0] + " " + numbers[500] + " " + numbers[999]);
        long[] sums = {1, 2, 3, 4};
        Arrays.parallelPrefix(sums, Long::sum);
        System.out.println(Arrays.toString(sums));
        System.out.println(IntStream.range(0, 10).parallel().isParallel() + " "
                + IntStream.range(0, 10).parallel().sequential().isParallel());
        try {
            IntStream.range(0, 100).parallel().forEach(n -> {
                if (n == 50) {
                    throw new IllegalStateException("fifty");
                }
            });
        } catch (IllegalStateException thrown) {
            System.out.println("thrown");
        }
    }
}
