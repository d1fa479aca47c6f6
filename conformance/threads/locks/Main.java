package threads.locks;

import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/** Locks, semaphores, latches and concurrent containers used by one thread. */
public final class Main {
    public static void main(String[] args) throws InterruptedException {
        ReentrantLock lock = new ReentrantLock(true);
        lock.lock();
        lock.lock();
        System.out.println(lock.getHoldCount() + " " + lock.isHeldByCurrentThread() + " " + lock.tryLock() + " " + lock.isFair());
        lock.unlock();
        lock.unlock();
        lock.unlock();
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println("not held " + lock.isLocked());
        }
        ReentrantReadWriteLock rw = new ReentrantReadWriteLock();
        rw.writeLock().lock();
        rw.readLock().lock();
        rw.writeLock().unlock();
        System.out.println(rw.getReadLockCount() + " " + rw.isWriteLocked() + " " + rw.writeLock().tryLock());
        Semaphore s = new Semaphore(2);
        s.acquire();
        System.out.println(s.tryAcquire(2) + " " + s.availablePermits() + " " + s.drainPermits() + " " + s.tryAcquire());
        s.release(5);
        CountDownLatch latch = new CountDownLatch(2);
        latch.countDown();
        latch.countDown();
        latch.countDown();
        latch.await();
        System.out.println(s.availablePermits() + " " + latch.getCount());
        ConcurrentHashMap<String, LongAdder> counts = new ConcurrentHashMap<>();
        for (String w : "a b a c a b".split(" ")) {
            counts.computeIfAbsent(w, k -> new LongAdder()).increment();
        }
        System.out.println(new java.util.TreeMap<>(counts) + " " + counts.reduceValuesToLong(100, LongAdder::sum, 0, Long::sum) + " " + counts.search(100, (k, v) -> v.sum() == 3 ? k : null));
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.getAndUpdate(x -> x * 2) + " " + i.accumulateAndGet(3, Math::max) + " " + i.compareAndSet(10, 1) + " " + i.compareAndSet(10, 2) + " " + i.incrementAndGet() + " " + i);
        AtomicReference<String> r = new AtomicReference<>("x");
        AtomicIntegerArray a = new AtomicIntegerArray(3);
        System.out.println(r.updateAndGet(x -> x + "y") + r.getAndSet("z") + r + a.addAndGet(1, 7) + a);
        CopyOnWriteArrayList<Integer> cow = new CopyOnWriteArrayList<>(java.util.List.of(3, 1, 2));
        cow.sort(null);
        System.out.println(cow.addIfAbsent(3) + " " + cow.addAllAbsent(java.util.List.of(4, 1)) + " " + cow);
    }
}
