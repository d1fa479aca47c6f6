package threads.interrupts;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

/** Interrupts, permits and timers. */
public class Main {
    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        main.interrupt();
        System.out.println(main.isInterrupted() + " " + Thread.interrupted() + " " + Thread.interrupted());
        main.interrupt();
        try {
            Thread.sleep(10);
        } catch (InterruptedException e) {
            System.out.println(e.getMessage() + " " + main.isInterrupted());
        }
        main.interrupt();
        try {
            synchronized (main) {
                main.wait(10);
            }
        } catch (InterruptedException e) {
            System.out.println(e.getMessage());
        }
        main.interrupt();
        LockSupport.park();
        System.out.println("not parked " + Thread.interrupted());

        Thread sleeper = new Thread(() -> {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                System.out.println("woken: " + e.getMessage() + " " + Thread.currentThread().isInterrupted());
            }
        });
        sleeper.start();
        while (sleeper.getState() != Thread.State.TIMED_WAITING) {
            Thread.yield();
        }
        sleeper.interrupt();
        sleeper.join();

        ReentrantLock lock = new ReentrantLock();
        lock.lock();
        Thread locker = new Thread(() -> {
            try {
                lock.lockInterruptibly();
            } catch (InterruptedException e) {
                System.out.println("lock given up " + lock.isHeldByCurrentThread());
            }
        });
        locker.start();
        while (!lock.hasQueuedThread(locker)) {
            Thread.yield();
        }
        locker.interrupt();
        locker.join();
        lock.unlock();

        LockSupport.unpark(main);
        LockSupport.unpark(main);
        LockSupport.park();
        LockSupport.parkNanos(1_000_000);
        LockSupport.parkUntil(System.currentTimeMillis() + 2);
        System.out.println("parked");
        Thread parker = new Thread(() -> {
            LockSupport.park(main);
            System.out.println("unparked");
        });
        parker.start();
        while (parker.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        System.out.println(LockSupport.getBlocker(parker) == main);
        LockSupport.unpark(parker);
        parker.join();

        CountDownLatch done = new CountDownLatch(3);
        int[] count = {0};
        Timer timer = new Timer("ticker", true);
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                System.out.println("tick " + ++count[0] + " in " + Thread.currentThread().getName());
                done.countDown();
                if (count[0] == 3) {
                    cancel();
                }
            }
        }, 1, 1);
        done.await();
        timer.cancel();
        ThreadGroup group = new ThreadGroup("group");
        Thread member = new Thread(group, () -> LockSupport.park(), "member");
        member.start();
        System.out.println(group.activeCount() + " " + member.getThreadGroup().getName());
        while (member.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        group.interrupt();
        member.join();
        System.out.println(member.getState() + " " + member.getThreadGroup());
    }
}
