package threads.compositions;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Futures: composition, combination, exceptions, time limits. */
public class Main {
    public static void main(String[] args) throws Exception {
        ExecutorService pool = Executors.newFixedThreadPool(3);
        CompletableFuture<Integer> three = CompletableFuture.supplyAsync(() -> 3, pool);
        CompletableFuture<Integer> four = CompletableFuture.supplyAsync(() -> 4, pool);
        System.out.println(three.thenCombine(four, Integer::sum).thenApply(n -> n * 10).get());
        System.out.println(three.thenCompose(n -> CompletableFuture.completedFuture(n + 1)).join());
        CompletableFuture<Integer> failed = CompletableFuture.supplyAsync(() -> {
            throw new IllegalStateException("failed");
        }, pool);
        System.out.println(failed.exceptionally(thrown -> -1).get());
        System.out.println(failed.handle((value, thrown) -> thrown.getClass().getSimpleName()).get());
        try {
            failed.get();
        } catch (ExecutionException thrown) {
            System.out.println(thrown.getCause().getMessage());
        }
        System.out.println(CompletableFuture.allOf(three, four).thenApply(v -> "all").get());
        CompletableFuture<String> never = new CompletableFuture<>();
        System.out.println(never.completeOnTimeout("late", 10, TimeUnit.MILLISECONDS).get());
        try {
            new CompletableFuture<String>().get(5, TimeUnit.MILLISECONDS);
        } catch (TimeoutException thrown) {
            System.out.println("timeout");
        }
        CompletableFuture<Integer> cancelled = new CompletableFuture<>();
        System.out.println(cancelled.cancel(true) + " " + cancelled.isCancelled() + " "
                + cancelled.isCompletedExceptionally());
        List<Callable<Integer>> tasks = List.of(() -> 1, () -> 2, () -> 3);
        int sum = 0;
        for (Future<Integer> future : pool.invokeAll(tasks)) {
            sum += future.get();
        }
        System.out.println(sum);
        pool.shutdown();
        System.out.println(pool.awaitTermination(1, TimeUnit.SECONDS) + " " + pool.isTerminated());
        try {
            pool.submit(() -> 1);
        } catch (RejectedExecutionException thrown) {
            System.out.println("rejected");
        }
    }
}
