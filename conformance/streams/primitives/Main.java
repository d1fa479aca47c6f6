package streams.primitives;

import java.util.Arrays;
import java.util.IntSummaryStatistics;
import java.util.stream.Collectors;
import java.util.stream.DoubleStream;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/** IntStream, LongStream and DoubleStream. */
public class Main {
    public static void main(String[] args) {
        System.out.println(IntStream.range(0, 10).sum() + " " + IntStream.rangeClosed(1, 5).reduce(1, (a, b) -> a * b) + " " + IntStream.range(5, 5).max());
        System.out.println(IntStream.of(3, 1, 2).sorted().boxed().toList() + " " + Arrays.toString(IntStream.iterate(1, i -> i * 2).limit(8).toArray()));
        IntSummaryStatistics s = IntStream.of(4, 8, 15, 16, 23, 42).summaryStatistics();
        System.out.println(s.getMin() + " " + s.getMax() + " " + s.getAverage() + " " + s.getSum() + " " + s.getCount());
        System.out.println(LongStream.rangeClosed(1, 20).reduce((a, b) -> a * b).getAsLong() + " " + LongStream.of(1L << 40, 2).sum());
        System.out.println(DoubleStream.of(1.5, 2.5, 3).average() + " " + DoubleStream.of(2, 3).map(Math::sqrt).max().getAsDouble() + " " + DoubleStream.empty().average());
        System.out.println("streams".chars().filter(c -> c != 's').mapToObj(c -> (char) c).map(String::valueOf).collect(Collectors.joining("|")));
        System.out.println(IntStream.range(0, 5).mapToObj(i -> "i" + i).toList() + " " + IntStream.range(0, 4).mapToLong(i -> 1L << (i * 10)).sum() + " " + IntStream.range(0, 4).mapToDouble(i -> i / 2.0).sum());
        System.out.println(IntStream.range(0, 20).filter(i -> i % 3 == 0).anyMatch(i -> i == 9) + " " + IntStream.of(1, 1, 2).distinct().count() + " " + IntStream.of(7).findFirst().getAsInt());
        System.out.println(Arrays.stream(new int[] {5, 6, 7, 8}, 1, 3).sum() + " " + Arrays.stream(new double[] {0.5}).boxed().toList());
        System.out.println(IntStream.range(1, 4).flatMap(i -> IntStream.range(0, i)).boxed().toList() + " " + IntStream.concat(IntStream.of(1), IntStream.of(2)).asDoubleStream().sum());
        System.out.println(IntStream.rangeClosed(2, 60).filter(n -> IntStream.rangeClosed(2, (int) Math.sqrt(n)).noneMatch(d -> n % d == 0)).boxed().toList());
        try {
            IntStream.empty().max().getAsInt();
        } catch (java.util.NoSuchElementException e) {
            System.out.println(e.getMessage());
        }
    }
}
