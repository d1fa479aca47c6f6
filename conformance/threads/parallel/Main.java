package threads.parallel;

import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** Parallel streams and fork and join. */
public class Main {
    static class Fibonacci extends RecursiveTask<Integer> {
        private final int n;

        Fibonacci(int n) {
            this.n = n;
        }

        @Override
        protected Integer compute() {
            if (n < 2) {
                return n;
            }
            Fibonacci left = new Fibonacci(n - 1);
            left.fork();
            return new Fibonacci(n - 2).compute() + left.join();
        }
    }

    static class Doubling extends RecursiveAction {
        private final int[] values;
        private final int from;
        private final int to;

        Doubling(int[] values, int from, int to) {
            this.values = values;
            this.from = from;
            this.to = to;
        }

        @Override
        protected void compute() {
            if (to - from < 10) {
                for (int i = from; i < to; i++) {
                    values[i] *= 2;
                }
                return;
            }
            int middle = (from + to) >>> 1;
            invokeAll(new Doubling(values, from, middle), new Doubling(values, middle, to));
        }
    }

    public static void main(String[] args) throws Exception {
        System.out.println(IntStream.range(0, 10_000).parallel().filter(i -> i % 7 == 0).sum());
        System.out.println(LongStream.rangeClosed(1, 20).parallel().reduce(1, (a, b) -> a * b));
        List<String> words = Stream.of("a", "bb", "ccc", "dddd", "ee").parallel().map(String::toUpperCase).collect(Collectors.toList());
        System.out.println(words);
        System.out.println(words.parallelStream().collect(Collectors.groupingByConcurrent(String::length, Collectors.counting())).get(2));
        System.out.println(IntStream.range(0, 500).parallel().mapToObj(Integer::toString).sorted().limit(5).collect(Collectors.toList()));
        StringBuilder ordered = new StringBuilder();
        words.parallelStream().forEachOrdered(ordered::append);
        System.out.println(ordered);
        System.out.println(IntStream.range(0, 1000).parallel().boxed().filter(i -> i > 700).findFirst().get());
        int[] random = new Random(4).ints(20_000, 0, 1000).toArray();
        int[] sorted = random.clone();
        Arrays.parallelSort(sorted);
        Arrays.sort(random);
        System.out.println(Arrays.equals(random, sorted));
        int[] prefix = IntStream.rangeClosed(1, 100).toArray();
        Arrays.parallelPrefix(prefix, Integer::sum);
        System.out.println(prefix[99]);
        ForkJoinPool pool = new ForkJoinPool(3);
        System.out.println(pool.invoke(new Fibonacci(12)));
        int[] values = IntStream.range(0, 100).toArray();
        pool.submit(new Doubling(values, 0, 100)).get();
        System.out.println(Arrays.stream(values).sum() + " " + pool.getParallelism());
        pool.shutdown();
        System.out.println(new Fibonacci(8).invoke());
    }
}
