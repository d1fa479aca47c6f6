package threads.traces;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.concurrent.CountDownLatch;

public class Main {
    static final CountDownLatch STARTED = new CountDownLatch(1);
    static final Object LOCK = new Object();
    static boolean isOver;

    static void waits() throws InterruptedException {
        synchronized (LOCK) {
            STARTED.countDown();
            while (!isOver) {
                LOCK.wait();
            }
        }
    }

    static void rests() {
        try {
            waits();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    static void show(StackTraceElement[] trace) {
        for (StackTraceElement element : trace) {
            if (element.getClassName().startsWith("threads.traces")) {
                System.out.println("  " + element.getMethodName() + ":" + element.getLineNumber());
            }
        }
    }

    public static void main(String[] args) throws Exception {
        Thread thread = new Thread("resting") {
            @Override
            public void run() {
                rests();
            }
        };
        System.out.println(thread.getStackTrace().length);
        thread.start();
        STARTED.await();
        synchronized (LOCK) {
            show(thread.getStackTrace());
            Map<Thread, StackTraceElement[]> all = Thread.getAllStackTraces();
            show(all.get(Thread.currentThread()));
            show(all.get(thread));
            isOver = true;
            LOCK.notifyAll();
        }
        thread.join();
        System.out.println(thread.getStackTrace().length + " " + Thread.getAllStackTraces().containsKey(thread));
        long before = ManagementFactory.getRuntimeMXBean().getUptime();
        Thread.sleep(200);
        System.out.println(ManagementFactory.getRuntimeMXBean().getUptime() - before >= 200);
        System.out.println(ManagementFactory.getRuntimeMXBean().getStartTime() <= System.currentTimeMillis());
    }
}
