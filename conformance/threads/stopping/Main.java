package threads.stopping;

import java.lang.reflect.InvocationTargetException;

/** Threads that are suspended, go on and are stopped, in the releases that do it. */
public final class Main {
    static volatile int count;
    static final Object LOCK = new Object();

    static void act(String name, Thread thread) throws Throwable {
        try {
            Thread.class.getMethod(name).invoke(thread);
        } catch (InvocationTargetException e) {
            throw e.getCause();
        }
    }

    static void check(boolean holds, String what) {
        if (!holds) {
            throw new AssertionError(what);
        }
    }

    static void suspend() throws Throwable {
        Thread counter = new Thread(() -> {
            while (true) {
                count++;
                Thread.yield();
            }
        });
        counter.setDaemon(true);
        counter.start();
        while (count < 3) {
            Thread.sleep(1);
        }
        act("suspend", counter);
        Thread.sleep(20);
        int seen = count;
        Thread.sleep(20);
        check(seen == count, "runs while it is suspended");
        act("resume", counter);
        while (count < seen + 3) {
            Thread.sleep(1);
        }
        check(counter.isAlive(), "ended");
        act("stop", counter);
        counter.join();
        check(!counter.isAlive(), "not stopped");
    }

    static void stop() throws Throwable {
        boolean[] dead = {false};
        Thread waiter = new Thread(() -> {
            synchronized (LOCK) {
                try {
                    LOCK.wait();
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                } finally {
                    dead[0] = Thread.holdsLock(LOCK);
                }
            }
        });
        waiter.start();
        while (waiter.getState() != Thread.State.WAITING) {
            Thread.sleep(1);
        }
        act("stop", waiter);
        waiter.join();
        check(dead[0], "died without its monitor");
        try {
            act("stop", Thread.currentThread());
            check(false, "not stopped itself");
        } catch (ThreadDeath e) {
            dead[0] = false;
        }
        check(!dead[0], "no death");
    }

    public static void main(String[] args) throws Throwable {
        if (Runtime.version().feature() < 20) {
            suspend();
            stop();
        }
        System.out.println("done");
    }
}
