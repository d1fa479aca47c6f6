package threads.barriers;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.DelayQueue;
import java.util.concurrent.Delayed;
import java.util.concurrent.Exchanger;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.concurrent.locks.StampedLock;

/** Locks, conditions, barriers and queues between threads. */
public class Main {
    interface Work {
        void run() throws Exception;
    }

    static Thread start(Work work) {
        Thread thread = new Thread(() -> {
            try {
                work.run();
            } catch (Exception e) {
                System.out.println("failed: " + e);
            }
        });
        thread.start();
        return thread;
    }

    public static void main(String[] args) throws Exception {
        ReentrantLock lock = new ReentrantLock(true);
        Condition changed = lock.newCondition();
        int[] turn = {0};
        StringBuffer order = new StringBuffer();
        List<Thread> players = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            int me = i;
            players.add(start(() -> {
                for (int round = 0; round < 4; round++) {
                    lock.lock();
                    try {
                        while (turn[0] % 3 != me) {
                            changed.await();
                        }
                        order.append((char) ('a' + me));
                        turn[0]++;
                        changed.signalAll();
                    } finally {
                        lock.unlock();
                    }
                }
            }));
        }
        for (Thread player : players) {
            player.join();
        }
        System.out.println(order + " " + lock.isLocked());

        CountDownLatch latch = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            start(latch::countDown);
        }
        latch.await();
        System.out.println("latch " + latch.getCount());

        AtomicInteger rounds = new AtomicInteger();
        CyclicBarrier barrier = new CyclicBarrier(4, rounds::incrementAndGet);
        List<Thread> at = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            at.add(start(() -> {
                for (int k = 0; k < 5; k++) {
                    barrier.await();
                }
            }));
        }
        for (Thread thread : at) {
            thread.join();
        }
        System.out.println("rounds " + rounds);

        Semaphore permits = new Semaphore(2);
        AtomicInteger inside = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        CyclicBarrier pair = new CyclicBarrier(2);
        List<Thread> guests = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            guests.add(start(() -> {
                permits.acquire();
                most.accumulateAndGet(inside.incrementAndGet(), Math::max);
                pair.await();
                inside.decrementAndGet();
                permits.release();
            }));
        }
        for (Thread guest : guests) {
            guest.join();
        }
        System.out.println("most " + most + ", left " + permits.availablePermits());

        Phaser phaser = new Phaser(1);
        for (int i = 0; i < 2; i++) {
            phaser.register();
            start(() -> {
                phaser.arriveAndAwaitAdvance();
                phaser.arriveAndDeregister();
            });
        }
        phaser.arriveAndAwaitAdvance();
        System.out.println("phase " + phaser.getPhase());
        phaser.arriveAndAwaitAdvance();
        System.out.println("phase " + phaser.getPhase() + " " + phaser.getRegisteredParties());

        Exchanger<String> exchanger = new Exchanger<>();
        String[] got = new String[1];
        Thread other = start(() -> got[0] = exchanger.exchange("from other"));
        System.out.println(exchanger.exchange("from main"));
        other.join();
        System.out.println(got[0]);

        BlockingQueue<Integer> queue = new ArrayBlockingQueue<>(1);
        Thread producer = start(() -> {
            for (int i = 0; i < 5; i++) {
                queue.put(i);
            }
        });
        int sum = 0;
        for (int i = 0; i < 5; i++) {
            sum = 10 * sum + queue.take();
        }
        producer.join();
        System.out.println(sum + " " + queue.poll(1, TimeUnit.MILLISECONDS));
        SynchronousQueue<String> hand = new SynchronousQueue<>();
        start(() -> hand.put("handed"));
        System.out.println(hand.take());

        class Late implements Delayed {
            final long due;

            Late(long nanoseconds) {
                due = System.nanoTime() + nanoseconds;
            }

            @Override
            public long getDelay(TimeUnit unit) {
                return unit.convert(due - System.nanoTime(), TimeUnit.NANOSECONDS);
            }

            @Override
            public int compareTo(Delayed other) {
                return Long.compare(due, ((Late) other).due);
            }
        }
        DelayQueue<Late> delayed = new DelayQueue<>();
        delayed.add(new Late(TimeUnit.HOURS.toNanos(1)));
        System.out.println(delayed.poll());
        delayed.add(new Late(3_000_000));
        System.out.println(delayed.take().getDelay(TimeUnit.NANOSECONDS) <= 0);

        ReentrantReadWriteLock both = new ReentrantReadWriteLock();
        both.readLock().lock();
        Thread reader = start(() -> {
            both.readLock().lock();
            System.out.println("read together " + both.getReadLockCount());
            both.readLock().unlock();
        });
        reader.join();
        Thread writer = start(() -> {
            System.out.println("write " + both.writeLock().tryLock());
            both.writeLock().lock();
            System.out.println("writing");
            both.writeLock().unlock();
        });
        while (!both.hasQueuedThread(writer)) {
            Thread.sleep(1);
        }
        System.out.println("still reading");
        both.readLock().unlock();
        writer.join();

        StampedLock stamped = new StampedLock();
        long stamp = stamped.tryOptimisticRead();
        Thread changer = start(() -> stamped.unlockWrite(stamped.writeLock()));
        changer.join();
        System.out.println("valid " + stamped.validate(stamp));
    }
}
