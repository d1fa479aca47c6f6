package memory.finalizers;

import java.lang.ref.Cleaner;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/** Finalizers, the actions of a cleaner, and a timer that nobody can use any more. */
@SuppressWarnings({"removal", "deprecation"})
public final class Main {
    static final Object[] SAVED = new Object[1];
    static CountDownLatch done;

    static class Plain {
        final int[] data = {1, 2, 3};

        @Override
        protected void finalize() {
            System.out.println("finalized with " + data.length + " by " + Thread.currentThread().getName());
            done.countDown();
        }
    }

    static class Below extends Plain {
        @Override
        protected void finalize() {
            System.out.println("below");
            super.finalize();
        }
    }

    static class Saved {
        int count;

        @Override
        protected void finalize() {
            count++;
            SAVED[0] = this;
            done.countDown();
        }
    }

    static class Throws {
        @Override
        protected void finalize() {
            done.countDown();
            throw new IllegalStateException("nobody sees it");
        }
    }

    static class Empty {
        @Override
        protected void finalize() {
        }
    }

    static void collect(int count, Runnable make) throws InterruptedException {
        done = new CountDownLatch(count);
        Thread maker = new Thread(make);
        maker.start();
        maker.join();
        while (done.getCount() > 0) {
            System.gc();
            Thread.sleep(5);
        }
    }

    public static void main(String[] args) throws Exception {
        collect(1, Plain::new);
        collect(1, Below::new);
        collect(1, Throws::new);
        new Empty();
        collect(1, Saved::new);
        Saved saved = (Saved) SAVED[0];
        SAVED[0] = null;
        System.out.println(saved.count);
        saved = null;
        System.gc();
        System.gc();
        System.out.println(SAVED[0]);
        collect(1, () -> {
            try {
                Plain.class.getDeclaredConstructor().newInstance();
            } catch (ReflectiveOperationException e) {
                System.out.println(e);
            }
        });
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Object[] references = new Object[2];
        collect(1, () -> {
            Plain plain = new Plain();
            references[0] = new WeakReference<>(plain, queue);
            references[1] = new PhantomReference<>(plain, queue);
        });
        int found = 0;
        while (found < 2) {
            System.gc();
            if (queue.remove(5) != null) {
                found++;
            }
        }
        System.out.println(references.length + " references are in their queue");
        Cleaner cleaner = Cleaner.create();
        collect(1, () -> cleaner.register(new Object(), () -> {
            System.out.println("cleaned");
            done.countDown();
        }));
        CountDownLatch fired = new CountDownLatch(1);
        Thread[] thread = new Thread[1];
        collect(0, () -> new Timer("idle").schedule(new TimerTask() {
            @Override
            public void run() {
                thread[0] = Thread.currentThread();
                fired.countDown();
            }
        }, 1));
        fired.await();
        while (thread[0].isAlive()) {
            System.gc();
            thread[0].join(5);
        }
        System.out.println("the timer has ended");
    }
}
