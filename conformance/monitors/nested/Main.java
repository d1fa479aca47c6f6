package monitors.nested;

/** synchronized on one thread: nesting, exceptions out of it, static and instance, wait and notify without the monitor. */
public final class Main {
    private int n;

    synchronized int down(int x) {
        return x == 0 ? n : 1 + down(x - 1);
    }

    static synchronized String fixed() {
        return Thread.holdsLock(Main.class) + "";
    }

    private int early(Object o) {
        for (int i = 0; i < 5; i++) {
            synchronized (o) {
                synchronized (this) {
                    if (i == 1) {
                        continue;
                    }
                    if (i == 3) {
                        return i * 10 + (Thread.holdsLock(o) && Thread.holdsLock(this) ? 1 : 0);
                    }
                }
            }
        }
        return -1;
    }

    public static void main(String[] args) {
        Main m = new Main();
        Object o = new Object();
        System.out.println(m.down(20) + " " + fixed() + " " + Thread.holdsLock(Main.class) + " " + m.early(o) + " " + Thread.holdsLock(o) + Thread.holdsLock(m));
        try {
            synchronized (o) {
                throw new IllegalStateException("out");
            }
        } catch (IllegalStateException e) {
            System.out.println(e.getMessage() + " " + Thread.holdsLock(o));
        }
        Object none = null;
        try {
            synchronized (none) {
                System.out.println("never");
            }
        } catch (NullPointerException e) {
            System.out.println("null");
        }
        for (Runnable r : new Runnable[] {o::notify, o::notifyAll, () -> {
            try {
                o.wait(1);
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
        }}) {
            try {
                r.run();
            } catch (IllegalMonitorStateException e) {
                System.out.println("not the owner");
            }
            synchronized (o) {
                r.run();
            }
        }
        System.out.println(Thread.currentThread().getName() + " " + Thread.currentThread().getPriority() + " " + Thread.interrupted());
    }
}
