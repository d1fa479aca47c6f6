package threads.atomics;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicMarkableReference;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import java.util.concurrent.atomic.AtomicStampedReference;
import java.util.concurrent.atomic.DoubleAdder;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;

/** All of java.util.concurrent.atomic on one thread. */
public class Main {
    volatile int count = 1;
    volatile String text = "a";

    public static void main(String[] args) {
        AtomicBoolean flag = new AtomicBoolean();
        System.out.println(flag.compareAndSet(false, true) + " " + flag.getAndSet(false) + " " + flag + " " + flag.weakCompareAndSetPlain(true, true));
        AtomicInteger i = new AtomicInteger(5);
        System.out.println(i.incrementAndGet() + " " + i.getAndAdd(10) + " " + i.updateAndGet(x -> x * 2) + " " + i.getAndAccumulate(3, Math::max) + " " + i.compareAndExchange(32, 1) + " " + i);
        AtomicLong l = new AtomicLong(Long.MAX_VALUE);
        System.out.println(l.incrementAndGet() + " " + l.getAndDecrement() + " " + l.accumulateAndGet(7, (a, b) -> a - b) + " " + l.getPlain());
        AtomicReference<String> r = new AtomicReference<>("one");
        System.out.println(r.compareAndSet("none", "two") + " " + r.getAndUpdate(s -> s + "!") + " " + r.getAcquire() + " " + r.compareAndExchange("x", "y") + " " + r);
        AtomicIntegerArray ints = new AtomicIntegerArray(3);
        ints.set(1, 4);
        System.out.println(ints.addAndGet(1, 3) + " " + ints.getAndIncrement(2) + " " + ints.compareAndSet(0, 0, 9) + " " + ints + " " + ints.length());
        try {
            ints.get(3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println("out of bounds");
        }
        AtomicLongArray longs = new AtomicLongArray(new long[] {1L << 50, 2});
        System.out.println(longs.getAndAdd(0, 1) + " " + longs.updateAndGet(1, x -> ~x) + " " + longs);
        AtomicReferenceArray<Object> refs = new AtomicReferenceArray<>(2);
        refs.lazySet(0, "z");
        System.out.println(refs.getAndSet(0, 3) + " " + refs.compareAndSet(1, null, refs.get(0)) + " " + refs);
        AtomicStampedReference<String> stamped = new AtomicStampedReference<>("s", 1);
        int[] stamp = new int[1];
        System.out.println(stamped.compareAndSet("s", "t", 1, 2) + " " + stamped.get(stamp) + stamp[0] + " " + stamped.attemptStamp("t", 5) + stamped.getStamp());
        AtomicMarkableReference<String> marked = new AtomicMarkableReference<>("m", false);
        System.out.println(marked.attemptMark("m", true) + " " + marked.isMarked() + " " + marked.getReference());
        LongAdder adder = new LongAdder();
        for (int n = 0; n < 10; n++) adder.add(n);
        adder.increment();
        LongAccumulator most = new LongAccumulator(Math::max, Long.MIN_VALUE);
        most.accumulate(3);
        most.accumulate(-8);
        DoubleAdder sum = new DoubleAdder();
        sum.add(0.5);
        sum.add(0.25);
        System.out.println(adder.sumThenReset() + " " + adder + " " + most.get() + " " + sum.sum());
        Main m = new Main();
        AtomicIntegerFieldUpdater<Main> counts = AtomicIntegerFieldUpdater.newUpdater(Main.class, "count");
        AtomicReferenceFieldUpdater<Main, String> texts = AtomicReferenceFieldUpdater.newUpdater(Main.class, String.class, "text");
        System.out.println(counts.addAndGet(m, 41) + " " + texts.getAndSet(m, "b") + " " + texts.compareAndSet(m, "c", "d") + " " + m.count + m.text);
        System.out.println(Arrays.asList(flag.get(), i.get(), l.get(), r.get()));
    }
}
