package monitors.synchronising;

/** Synchronized blocks and methods on one thread; monitor methods without the lock. */
public class Main {
    private int count;
    private static int total;

    synchronized int increment(int depth) {
        count++;
        return depth == 0 ? count : increment(depth - 1);
    }

    static synchronized void all() {
        total++;
        if (total > 2) throw new IllegalStateException("from synchronized static");
    }

    static void attempt(String name, Runnable r) {
        try {
            r.run();
            System.out.println(name + " fine");
        } catch (IllegalMonitorStateException e) {
            System.out.println(name + " " + e.getMessage());
        }
    }

    static int early(Object lock) {
        for (int i = 0; ; i++) {
            synchronized (lock) {
                if (i == 3) return i;
                if (i == 1) continue;
                System.out.println("held " + Thread.holdsLock(lock));
            }
        }
    }

    public static void main(String[] args) {
        Main m = new Main();
        System.out.println(m.increment(5) + " " + Thread.holdsLock(m));
        for (int i = 0; i < 4; i++) {
            try {
                all();
            } catch (IllegalStateException e) {
                System.out.println(e.getMessage() + " " + Thread.holdsLock(Main.class));
            }
        }
        Object lock = new Object();
        System.out.println(early(lock) + " " + Thread.holdsLock(lock));
        try {
            synchronized (lock) {
                synchronized (lock) {
                    throw new RuntimeException("inside");
                }
            }
        } catch (RuntimeException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(lock));
        }
        attempt("notify", lock::notify);
        attempt("notifyAll", lock::notifyAll);
        attempt("wait", () -> {
            try {
                lock.wait();
            } catch (InterruptedException e) {
                System.out.println("never");
            }
        });
        attempt("notify held", () -> {
            synchronized (lock) {
                lock.notify();
                lock.notifyAll();
            }
        });
        attempt("other lock", () -> {
            synchronized (m) {
                lock.notify();
            }
        });
        try {
            synchronized (m) {
                m.wait(-1);
            }
        } catch (IllegalArgumentException | InterruptedException e) {
            System.out.println("negative wait");
        }
        Object none = null;
        try {
            synchronized (none) {
                System.out.println("never");
            }
        } catch (NullPointerException e) {
            System.out.println("null lock");
        }
        System.out.println(Thread.currentThread().getName() + " " + Thread.holdsLock(Main.class));
    }
}
