package memory.references;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.SoftReference;
import java.lang.ref.WeakReference;
import java.util.WeakHashMap;

/** References that a collection clears, and those that it does not. */
public class Main {
    static final class Named extends WeakReference<Object> {
        final String name;

        Named(Object referent, ReferenceQueue<Object> queue, String name) {
            super(referent, queue);
            this.name = name;
        }
    }

    static Object strong = new Object();

    static WeakReference<Object> weakly() {
        return new WeakReference<>(new Object());
    }

    static void collect() {
        System.gc();
    }

    /** Waits until a collector that works beside the program has filled the queue. */
    static Reference<?> take(ReferenceQueue<Object> queue) throws InterruptedException {
        return queue.remove(10_000);
    }

    static void fill(WeakHashMap<Object, String> map) {
        for (int index = 0; index < 100; index++) {
            map.put(new Object(), "value " + index);
        }
    }

    public static void main(String[] args) throws InterruptedException {
        WeakReference<Object> lost = weakly();
        WeakReference<Object> held = new WeakReference<>(strong);
        SoftReference<Object> soft = new SoftReference<>(new int[10]);
        collect();
        System.out.println("lost " + (lost.get() == null) + " held " + (held.get() == strong));
        System.out.println("refers " + lost.refersTo(null) + " " + held.refersTo(strong));
        System.out.println("soft " + (soft.get() != null));

        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        Object local = new Object();
        Named first = new Named(local, queue, "first");
        Named second = new Named(new Object(), queue, "second");
        collect();
        Reference<?> cleared = take(queue);
        System.out.println("queued " + ((Named) cleared).name + " " + (cleared == second));
        System.out.println("first " + (first.get() == local) + " " + (queue.poll() == null));
        local = null;
        collect();
        cleared = take(queue);
        System.out.println("queued " + ((Named) cleared).name + " " + (first.get() == null));
        System.out.println("enqueued again " + first.enqueue());

        PhantomReference<Object> phantom = new PhantomReference<>(new Object(), queue);
        System.out.println("phantom " + phantom.get());
        collect();
        System.out.println("phantom queued " + (take(queue) == phantom));

        WeakHashMap<Object, String> map = new WeakHashMap<>();
        Object key = new Object();
        map.put(key, "kept");
        fill(map);
        collect();
        while (map.size() > 1) {
            Thread.sleep(10);
        }
        System.out.println("map " + map.size() + " " + map.get(key));

        held.clear();
        System.out.println("cleared by hand " + held.get());
        Reference.reachabilityFence(key);
    }
}
