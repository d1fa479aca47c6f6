package threads.timeouts;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Waits that nobody ends but the clock, and waits of an interrupted thread. */
public class Main {
    interface Wait { Object run() throws Exception; }

    static void show(String name, Wait wait) {
        try {
            System.out.println(name + " " + wait.run());
        } catch (Exception e) {
            System.out.println(name + " " + e);
        }
    }

    public static void main(String[] args) throws Exception {
        long start = System.nanoTime();
        Thread.sleep(3);
        System.out.println(System.nanoTime() - start >= 3_000_000);
        long millis = System.currentTimeMillis();
        TimeUnit.MILLISECONDS.sleep(5);
        System.out.println(System.currentTimeMillis() - millis >= 4);
        Object lock = new Object();
        show("wait", () -> { synchronized (lock) { lock.wait(2); return "over"; } });
        show("poll", () -> new ArrayBlockingQueue<String>(1).poll(2, TimeUnit.MILLISECONDS));
        show("offer", () -> new SynchronousQueue<String>().offer("x", 1, TimeUnit.MILLISECONDS));
        show("latch", () -> new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS));
        show("permits", () -> new Semaphore(0).tryAcquire(1, TimeUnit.MILLISECONDS));
        show("future", () -> new CompletableFuture<String>().get(1, TimeUnit.MILLISECONDS) == null);
        show("task", () -> new FutureTask<>(() -> 1).get(1, TimeUnit.MILLISECONDS));
        ReentrantLock reentrant = new ReentrantLock();
        Condition condition = reentrant.newCondition();
        reentrant.lock();
        show("condition", () -> condition.await(1, TimeUnit.MILLISECONDS));
        show("nanos", () -> condition.awaitNanos(1000) <= 0);
        reentrant.unlock();
        LockSupport.unpark(Thread.currentThread());
        LockSupport.park();
        LockSupport.parkNanos(1000);
        LockSupport.parkUntil(System.currentTimeMillis() + 1);
        System.out.println("parked");
        Thread.currentThread().interrupt();
        LockSupport.park();
        System.out.println(Thread.currentThread().isInterrupted());
        show("sleep", () -> { Thread.sleep(1); return "slept"; });
        System.out.println(Thread.interrupted());
        Thread.currentThread().interrupt();
        show("wait", () -> { synchronized (lock) { lock.wait(); return "over"; } });
        Thread.currentThread().interrupt();
        show("take", () -> new ArrayBlockingQueue<String>(1).take());
        Thread.currentThread().interrupt();
        show("latch", () -> { new CountDownLatch(1).await(); return "passed"; });
        System.out.println(Thread.interrupted() + " " + Thread.currentThread().isInterrupted());
        show("negative", () -> { Thread.sleep(-1); return "slept"; });
        Thread.sleep(0, 5);
        Thread.yield();
    }
}
