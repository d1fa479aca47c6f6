package threads.forks;

import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.RecursiveAction;
import java.util.concurrent.RecursiveTask;
import java.util.concurrent.TimeUnit;

/** Fork and join: sums, actions, results. */
public class Main {
    static class Sum extends RecursiveTask<Integer> {
        private final int[] numbers;
        private final int from;
        private final int to;

        Sum(int[] numbers, int from, int to) {
            this.numbers = numbers;
            this.from = from;
            this.to = to;
        }

        @Override
        protected Integer compute() {
            if (to - from <= 50) {
                int sum = 0;
                for (int index = from; index < to; index++) {
                    sum += numbers[index];
                }
                return sum;
            }
            int middle = (from + to) / 2;
            Sum left = new Sum(numbers, from, middle);
            left.fork();
            return new Sum(numbers, middle, to).compute() + left.join();
        }
    }

    public static void main(String[] args) throws Exception {
        int[] numbers = new int[1000];
        for (int index = 0; index < numbers.length; index++) {
            numbers[index] = index % 10;
        }
        System.out.println(ForkJoinPool.commonPool().invoke(new Sum(numbers, 0, numbers.length)));
        ForkJoinPool pool = new ForkJoinPool(2);
        System.out.println(pool.submit(new Sum(numbers, 0, 100)).get());
        System.out.println(pool.submit(() -> "text").get() + " " + pool.getParallelism());
        RecursiveAction action = new RecursiveAction() {
            @Override
            protected void compute() {
                throw new IllegalArgumentException("in action");
            }
        };
        try {
            pool.invoke(action);
        } catch (IllegalArgumentException thrown) {
            System.out.println("thrown " + action.isCompletedAbnormally());
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(1, TimeUnit.SECONDS) + " " + pool.isShutdown());
    }
}
