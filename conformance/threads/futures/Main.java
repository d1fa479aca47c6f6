package threads.futures;

import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Tasks, futures and locks that never have to wait. */
public class Main {
    public static void main(String[] args) throws Exception {
        FutureTask<Integer> task = new FutureTask<>(() -> 6 * 7);
        System.out.println(task.isDone());
        task.run();
        System.out.println(task.isDone() + " " + task.get() + " " + task.cancel(true));
        FutureTask<Integer> failing = new FutureTask<>(() -> { throw new java.io.IOException("broken"); });
        failing.run();
        try {
            failing.get();
        } catch (ExecutionException e) {
            System.out.println(e.getMessage() + " | " + e.getCause().getMessage());
        }
        FutureTask<String> cancelled = new FutureTask<>(() -> { }, "never");
        System.out.println(cancelled.cancel(false) + " " + cancelled.isCancelled());
        try {
            cancelled.get();
        } catch (CancellationException e) {
            System.out.println("cancelled");
        }

        CompletableFuture<String> first = new CompletableFuture<>();
        CompletableFuture<Integer> length = first.thenApply(String::length);
        CompletableFuture<String> both = first.thenCombine(length, (s, n) -> s + n);
        CompletableFuture<Void> all = CompletableFuture.allOf(first, length, both);
        System.out.println(length.isDone() + " " + all.isDone() + " " + length.getNow(-1) + " " + first.getNumberOfDependents());
        System.out.println(first.complete("word") + " " + first.complete("other"));
        System.out.println(length.join() + " " + both.get() + " " + all.isDone());
        CompletableFuture<Integer> bad = length.thenApply(n -> n / 0);
        System.out.println(bad.isCompletedExceptionally() + " " + bad.exceptionally(t -> -1).join() + " " + bad.handle((v, t) -> t.getCause().getMessage()).join());
        try {
            bad.join();
        } catch (CompletionException e) {
            System.out.println(e.getCause());
        }
        Executor here = Runnable::run;
        System.out.println(CompletableFuture.supplyAsync(() -> "now", here).thenCompose(s -> CompletableFuture.completedFuture(s + "!")).get(1, TimeUnit.SECONDS));
        System.out.println(CompletableFuture.anyOf(new CompletableFuture<>(), CompletableFuture.completedFuture(3)).join());
        StringBuilder order = new StringBuilder();
        CompletableFuture<Void> last = CompletableFuture.runAsync(() -> order.append("a"), here).thenRun(() -> order.append("b")).whenComplete((v, t) -> order.append(t == null));
        System.out.println(order + " " + last.isDone());

        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        System.out.println(lock.tryLock() + " " + lock.getHoldCount() + " " + lock.isHeldByCurrentThread());
        lock.unlock();
        lock.unlock();
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not held " + lock.isLocked());
        }
        Condition condition = lock.newCondition();
        lock.lock();
        condition.signalAll();
        System.out.println(lock.hasWaiters(condition));
        lock.unlock();
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        rw.writeLock().lock();
        rw.readLock().lock();
        rw.writeLock().unlock();
        System.out.println(rw.getReadLockCount() + " " + rw.isWriteLocked() + " " + rw.writeLock().tryLock());
        StampedLock optimistic = new StampedLock();
        long stamp = optimistic.tryOptimisticRead();
        System.out.println(optimistic.validate(stamp) + " " + (optimistic.tryWriteLock() != 0) + " " + optimistic.validate(stamp));
        CountDownLatch latch = new CountDownLatch(2);
        latch.countDown();
        latch.countDown();
        latch.await();
        Semaphore permits = new Semaphore(2);
        permits.acquire();
        System.out.println(latch.getCount() + " " + permits.tryAcquire() + " " + permits.tryAcquire() + " " + permits.availablePermits());
        System.out.println(List.of(TimeUnit.HOURS.toMinutes(2), TimeUnit.MILLISECONDS.convert(3, TimeUnit.SECONDS)));
    }
}
