package threads.monitors;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;

/** Monitors: waiting, notifying, and who holds them. */
public class Main {
    private final ArrayDeque<Integer> queue = new ArrayDeque<>();

    synchronized void put(int value) throws InterruptedException {
        while (queue.size() == 2) {
            wait();
        }
        queue.add(value);
        notifyAll();
    }

    synchronized int take() throws InterruptedException {
        while (queue.isEmpty()) {
            wait();
        }
        int value = queue.remove();
        notifyAll();
        return value;
    }

    static synchronized String held() {
        return Thread.holdsLock(Main.class) + "";
    }

    public static void main(String[] args) throws Exception {
        Main main = new Main();
        List<Integer> taken = new ArrayList<>();
        Thread consumer = new Thread(() -> {
            try {
                for (int i = 0; i < 50; i++) {
                    taken.add(main.take());
                }
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        consumer.start();
        for (int i = 0; i < 50; i++) {
            main.put(i * i);
        }
        consumer.join();
        System.out.println(taken);

        Object lock = new Object();
        try {
            lock.notify();
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        try {
            lock.wait(5);
        } catch (IllegalMonitorStateException e) {
            System.out.println(e.getMessage());
        }
        synchronized (lock) {
            synchronized (lock) {
                long before = System.nanoTime();
                lock.wait(20);
                System.out.println("waited " + (System.nanoTime() - before >= 20_000_000) + " " + Thread.holdsLock(lock));
            }
            System.out.println(Thread.holdsLock(lock));
        }
        System.out.println(Thread.holdsLock(lock) + " " + held());

        boolean[] seen = new boolean[3];
        Thread holder = new Thread(() -> {
            synchronized (lock) {
                seen[0] = true;
                lock.notifyAll();
                try {
                    lock.wait();
                } catch (InterruptedException e) {
                    seen[1] = Thread.holdsLock(lock);
                }
            }
        });
        synchronized (lock) {
            holder.start();
            while (!seen[0]) {
                lock.wait();
            }
        }
        while (holder.getState() != Thread.State.WAITING) {
            Thread.yield();
        }
        holder.interrupt();
        holder.join();
        System.out.println(seen[0] + " " + seen[1] + " " + holder.isInterrupted());

        Thread blocked;
        synchronized (lock) {
            blocked = new Thread(() -> {
                synchronized (lock) {
                    seen[2] = true;
                }
            });
            blocked.start();
            while (blocked.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            System.out.println("blocked " + seen[2]);
        }
        blocked.join();
        System.out.println("passed " + seen[2]);

        // One is woken by each notification.
        int[] woken = {0};
        Thread[] waiting = new Thread[3];
        for (int i = 0; i < 3; i++) {
            waiting[i] = new Thread(() -> {
                synchronized (woken) {
                    try {
                        woken.wait();
                        woken[0]++;
                        woken.notify();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                }
            });
            waiting[i].start();
        }
        for (Thread thread : waiting) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.sleep(1);
            }
        }
        synchronized (woken) {
            woken.notify();
        }
        for (Thread thread : waiting) {
            thread.join();
        }
        System.out.println("woken " + woken[0]);
    }
}
