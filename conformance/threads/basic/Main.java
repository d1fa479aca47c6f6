package threads.basic;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Starting, joining and ending threads. */
public class Main {
    private static int counter;
    private static final Object LOCK = new Object();
    private static final ThreadLocal<String> NAME = ThreadLocal.withInitial(() -> "nobody");

    static class Lazy {
        static final String TEXT;

        static {
            Thread.yield();
            TEXT = "made by " + Thread.currentThread().getName();
        }
    }

    static class Named extends Thread {
        final String name = "shadow";
        final boolean daemon = true;

        Named(Runnable work) {
            super(work, "named");
        }
    }

    public static void main(String[] args) throws Exception {
        Thread main = Thread.currentThread();
        System.out.println(main.getName() + " " + main.isAlive() + " " + main.getState() + " " + main.isDaemon());
        List<String> said = Collections.synchronizedList(new ArrayList<>());
        Thread one = new Thread(() -> said.add("one in " + Thread.currentThread().getName()), "first");
        System.out.println(one.getState() + " " + one.isAlive());
        one.start();
        one.join();
        System.out.println(said + " " + one.getState() + " " + one.isAlive());
        try {
            one.start();
        } catch (IllegalThreadStateException e) {
            System.out.println("not twice");
        }

        Thread[] many = new Thread[20];
        for (int i = 0; i < many.length; i++) {
            many[i] = new Thread(() -> {
                for (int k = 0; k < 1000; k++) {
                    synchronized (LOCK) {
                        counter++;
                    }
                }
            });
            many[i].start();
        }
        for (Thread thread : many) {
            thread.join();
        }
        System.out.println("counted " + counter);

        NAME.set("main's");
        Thread local = new Thread(() -> {
            System.out.println("local " + NAME.get());
            NAME.set("other's");
        });
        local.start();
        local.join();
        System.out.println("local " + NAME.get());

        Thread failing = new Thread(() -> {
            throw new IllegalStateException("on purpose");
        }, "failing");
        failing.setUncaughtExceptionHandler((thread, thrown) -> System.out.println(thread.getName() + ": " + thrown));
        failing.start();
        failing.join();

        String[] seen = new String[2];
        Thread a = new Thread(() -> seen[0] = Lazy.TEXT, "lazy");
        a.start();
        a.join();
        Thread b = new Thread(() -> seen[1] = Lazy.TEXT, "other");
        b.start();
        b.join();
        System.out.println(seen[0] + ", " + seen[1]);

        Named named = new Named(() -> System.out.println("in " + Thread.currentThread().getName()));
        System.out.println(named.getName() + " " + named.isDaemon() + " " + named.name + " " + named.daemon);
        named.start();
        named.join(1000);
        System.out.println(named.isAlive());

        Thread daemon = new Thread(() -> {
            while (true) {
                try {
                    Thread.sleep(1000);
                } catch (InterruptedException e) {
                    return;
                }
            }
        });
        daemon.setDaemon(true);
        daemon.start();
        System.out.println("daemon " + daemon.isDaemon() + " " + daemon.isAlive());

        Thread last = new Thread(() -> {
            try {
                main.join();
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
            System.out.println("after main: " + main.getState() + " " + main.isAlive());
        });
        last.start();
        System.out.println("end of main");
    }
}
