package threads.locals;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.ReentrantLock;

/** ThreadLocal, atomics and locks as one thread sees them. */
public class Main {
    static final ThreadLocal<StringBuilder> LOCAL = ThreadLocal.withInitial(() -> new StringBuilder("initial"));

    public static void main(String[] args) {
        LOCAL.get().append("+1");
        System.out.println(LOCAL.get());
        LOCAL.remove();
        System.out.println(LOCAL.get());
        LOCAL.set(new StringBuilder("set"));
        System.out.println(LOCAL.get() + " " + new ThreadLocal<String>().get());
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.getAndIncrement() + " " + i.incrementAndGet() + " " + i.addAndGet(-10) + " " + i.compareAndSet(-3, 100) + " " + i.compareAndSet(0, 1) + " " + i);
        System.out.println(i.updateAndGet(x -> x * 2) + " " + i.getAndAccumulate(7, Math::max) + " " + i.getAndSet(1) + " " + i.get());
        AtomicLong l = new AtomicLong(Long.MAX_VALUE);
        System.out.println(l.incrementAndGet() + " " + l.getAndAdd(5) + " " + l);
        AtomicBoolean b = new AtomicBoolean();
        System.out.println(b.getAndSet(true) + " " + b + " " + b.compareAndSet(true, false));
        AtomicReference<String> r = new AtomicReference<>("a");
        String a = r.get();
        System.out.println(r.compareAndSet(a, "b") + " " + r.compareAndSet(a, "c") + " " + r.accumulateAndGet("x", String::concat) + " " + r);
        AtomicIntegerArray array = new AtomicIntegerArray(3);
        array.addAndGet(1, 5);
        System.out.println(array + " " + array.length());
        LongAdder adder = new LongAdder();
        for (int k = 0; k < 10; k++) adder.add(k);
        System.out.println(adder.sum() + " " + adder);
        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        lock.lock();
        System.out.println(lock.isHeldByCurrentThread() + " " + lock.getHoldCount() + " " + lock.tryLock());
        lock.unlock();
        lock.unlock();
        lock.unlock();
        try {
            lock.unlock();
        } catch (IllegalMonitorStateException e) {
            System.out.println(lock.isLocked());
        }
        System.out.println(Thread.currentThread().isInterrupted() + " " + Thread.currentThread().isAlive());
    }
}
