package walk;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Threads that do what chance says. */
public class Turns {
    private final Object monitor = new Object();
    private final ReentrantLock lock = new ReentrantLock();
    private final List<Integer> shared = new ArrayList<>();
    private volatile int sum;

    private synchronized void add(int value) {
        sum = 31 * sum + value;
    }

    private void work(Random random, int steps) throws Exception {
        for (int i = 0; i < steps; i++) {
            int value = random.nextInt(100);
            switch (random.nextInt(9)) {
                case 0 -> Thread.yield();
                case 1 -> Thread.sleep(random.nextInt(3));
                case 2 -> LockSupport.parkNanos(1 + random.nextInt(1_000_000));
                case 3 -> {
                    synchronized (monitor) {
                        monitor.notify();
                        monitor.wait(1 + random.nextInt(3));
                        shared.add(value);
                    }
                }
                case 4 -> {
                    lock.lock();
                    try {
                        Thread.yield();
                        add(value);
                    } finally {
                        lock.unlock();
                    }
                }
                case 5 -> {
                    Thread child = new Thread(() -> add(value));
                    child.start();
                    if (value % 2 == 0) {
                        child.join();
                    }
                }
                case 6 -> {
                    Thread.currentThread().interrupt();
                    try {
                        Thread.sleep(1);
                    } catch (InterruptedException e) {
                        add(7);
                    }
                }
                case 7 -> {
                    ExecutorService pool = Executors.newFixedThreadPool(2);
                    Future<Integer> future = pool.submit(() -> value * value);
                    add(future.get());
                    pool.shutdown();
                    pool.awaitTermination(1, TimeUnit.SECONDS);
                }
                default -> {
                    for (int k = 0; k < 2000 * value; k++) {
                        sum++;
                    }
                }
            }
        }
    }

    public static int run(long seed, int steps) throws Exception {
        Turns turns = new Turns();
        Random random = new Random(seed);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            long own = random.nextLong();
            Thread thread = new Thread(() -> {
                try {
                    turns.work(new Random(own), steps);
                } catch (Exception e) {
                    throw new AssertionError(e);
                }
            });
            threads.add(thread);
            thread.start();
        }
        turns.work(random, steps);
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(turns.sum + " " + turns.shared);
        return turns.sum;
    }
}
