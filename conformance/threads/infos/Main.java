package threads.infos;

import java.lang.management.LockInfo;
import java.lang.management.ManagementFactory;
import java.lang.management.MonitorInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.concurrent.locks.ReentrantLock;

/** What a ThreadMXBean tells of threads that wait for locks. */
public final class Main {
    static class Gate {
    }

    static final Gate GATE = new Gate();
    static final ReentrantLock LOCK = new ReentrantLock();

    static synchronized void hold() throws InterruptedException {
        Object inner = new StringBuilder();
        synchronized (inner) {
            synchronized (GATE) {
                GATE.wait();
            }
        }
    }

    static void enter() {
        synchronized (GATE) {
            System.out.println("entered");
        }
    }

    static Thread start(String name, Runnable work) throws InterruptedException {
        Thread thread = new Thread(work, name);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    static void await(Thread thread, Thread.State state) throws InterruptedException {
        while (thread.getState() != state) {
            Thread.sleep(5);
        }
    }

    static void show(ThreadInfo info) {
        LockInfo lock = info.getLockInfo();
        System.out.println(info.getThreadName() + " " + info.getThreadState() + " daemon " + info.isDaemon() + " priority " + info.getPriority());
        System.out.println("  waits for " + (lock == null ? null : lock.getClassName()) + " of " + info.getLockOwnerName()
            + " " + (info.getLockOwnerId() > 0) + " " + info.getBlockedTime() + " " + info.isSuspended() + info.isInNative());
        for (MonitorInfo monitor : info.getLockedMonitors()) {
            System.out.println("  holds " + monitor.getClassName() + " in " + monitor.getLockedStackFrame().getMethodName());
        }
        for (LockInfo held : info.getLockedSynchronizers()) {
            System.out.println("  holds " + held.getClassName());
        }
    }

    public static void main(String[] args) throws Exception {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        System.out.println(bean.isThreadContentionMonitoringSupported() + " " + bean.isThreadContentionMonitoringEnabled() + " "
            + bean.isObjectMonitorUsageSupported() + " " + bean.isSynchronizerUsageSupported() + " " + bean.isThreadCpuTimeSupported());
        Thread waiter = start("waiter", () -> {
            try {
                hold();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        });
        await(waiter, Thread.State.WAITING);
        ThreadInfo[] infos = bean.getThreadInfo(new long[] {waiter.getId(), 1_000_000}, true, true);
        System.out.println(infos.length + " " + infos[1]);
        show(infos[0]);
        System.out.println(bean.getThreadInfo(waiter.getId()).getStackTrace().length);
        System.out.println(bean.getThreadInfo(waiter.getId(), 2).getStackTrace().length);
        Thread blocked;
        Thread parked;
        LOCK.lock();
        synchronized (GATE) {
            blocked = start("blocked", Main::enter);
            parked = start("parked", LOCK::lock);
            await(blocked, Thread.State.BLOCKED);
            await(parked, Thread.State.WAITING);
            show(bean.getThreadInfo(new long[] {blocked.getId()}, true, true)[0]);
            show(bean.getThreadInfo(new long[] {parked.getId()}, true, true)[0]);
            show(bean.getThreadInfo(new long[] {Thread.currentThread().getId()}, true, true)[0]);
            System.out.println(bean.findDeadlockedThreads() + " " + bean.findMonitorDeadlockedThreads());
        }
        blocked.join();
        LOCK.unlock();
        parked.join();
        System.out.println(bean.getThreadInfo(blocked.getId()));
        waiter.interrupt();
        waiter.join();
        Object left = new Object();
        Object right = new Object();
        Thread one = start("one", () -> both(left, right));
        Thread two = start("two", () -> both(right, left));
        await(one, Thread.State.BLOCKED);
        await(two, Thread.State.BLOCKED);
        long[] ids = bean.findMonitorDeadlockedThreads();
        Arrays.sort(ids);
        System.out.println(Arrays.equals(ids, new long[] {one.getId(), two.getId()}) + " " + bean.findDeadlockedThreads().length);
        try {
            bean.getThreadInfo(-1);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        int found = 0;
        for (ThreadInfo info : bean.dumpAllThreads(false, false)) {
            if (Arrays.asList("main", "one", "two").contains(info.getThreadName())) {
                found++;
            }
        }
        System.out.println(found);
    }

    static int ready;

    static void both(Object first, Object second) {
        synchronized (first) {
            synchronized (Main.class) {
                ready++;
            }
            while (true) {
                synchronized (Main.class) {
                    if (ready == 2) {
                        break;
                    }
                }
                Thread.yield();
            }
            synchronized (second) {
                System.out.println("never");
            }
        }
    }
}
