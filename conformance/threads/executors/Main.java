package threads.executors;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/** Executors and futures. */
public class Main {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        List<Future<Integer>> futures = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            int n = i;
            futures.add(pool.submit(() -> n * n));
        }
        int sum = 0;
        for (Future<Integer> future : futures) {
            sum += future.get();
        }
        System.out.println("sum " + sum);
        List<Callable<String>> calls = List.of(() -> "a", () -> "b", () -> "c");
        StringBuilder all = new StringBuilder();
        for (Future<String> future : pool.invokeAll(calls)) {
            all.append(future.get());
        }
        System.out.println(all + " " + "abc".contains(pool.invokeAny(calls)));
        Future<?> failed = pool.submit(() -> {
            throw new IllegalArgumentException("no");
        });
        try {
            failed.get();
        } catch (ExecutionException e) {
            System.out.println(e.getCause());
        }
        Future<?> slow = pool.submit(() -> {
            Thread.sleep(100_000);
            return 1;
        });
        try {
            slow.get(10, TimeUnit.MILLISECONDS);
        } catch (TimeoutException e) {
            System.out.println("too slow " + slow.cancel(true) + " " + slow.isCancelled());
        }
        pool.shutdown();
        System.out.println(pool.awaitTermination(5, TimeUnit.SECONDS) + " " + pool.isTerminated());

        ScheduledExecutorService timer = Executors.newScheduledThreadPool(1);
        AtomicInteger ticks = new AtomicInteger();
        Future<?> ticking = timer.scheduleAtFixedRate(ticks::incrementAndGet, 1, 2, TimeUnit.MILLISECONDS);
        Future<String> later = timer.schedule(() -> "later", 5, TimeUnit.MILLISECONDS);
        System.out.println(later.get());
        while (ticks.get() < 5) {
            Thread.sleep(1);
        }
        ticking.cancel(false);
        timer.shutdownNow();
        System.out.println(timer.awaitTermination(1, TimeUnit.SECONDS));

        CompletableFuture<String> text = CompletableFuture.supplyAsync(() -> 20)
            .thenApplyAsync(n -> n + 1)
            .thenCombine(CompletableFuture.supplyAsync(() -> 2), (a, b) -> a * b)
            .thenApply(n -> "is " + n);
        System.out.println(text.get());
        CompletableFuture<Integer> broken = CompletableFuture.supplyAsync(() -> Integer.parseInt("x"));
        try {
            broken.join();
        } catch (CompletionException e) {
            System.out.println(e.getCause().getClass());
        }
        System.out.println(broken.exceptionally(e -> -1).join());
        CompletableFuture<String> late = new CompletableFuture<String>().completeOnTimeout("in time", 3, TimeUnit.MILLISECONDS);
        System.out.println(late.get());
        CompletableFuture<?>[] several = new CompletableFuture<?>[4];
        LongAdder adder = new LongAdder();
        for (int i = 0; i < several.length; i++) {
            several[i] = CompletableFuture.runAsync(() -> adder.add(10));
        }
        CompletableFuture.allOf(several).join();
        System.out.println(adder.sum());

        Map<Integer, Integer> counts = new ConcurrentHashMap<>();
        ExecutorService counting = Executors.newCachedThreadPool();
        for (int i = 0; i < 4; i++) {
            counting.execute(() -> {
                for (int k = 0; k < 300; k++) {
                    counts.merge(k % 7, 1, Integer::sum);
                }
            });
        }
        counting.shutdown();
        counting.awaitTermination(10, TimeUnit.SECONDS);
        System.out.println(new TreeMap<>(counts));
        ExecutorService single = Executors.newSingleThreadExecutor();
        StringBuffer order = new StringBuffer();
        for (int i = 0; i < 5; i++) {
            int n = i;
            single.execute(() -> order.append(n));
        }
        single.shutdown();
        single.awaitTermination(1, TimeUnit.SECONDS);
        System.out.println(order);
    }
}
