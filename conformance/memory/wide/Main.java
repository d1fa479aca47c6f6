package memory.wide;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;

/** The second register of a long argument may hold an old object. */
public class Main {
    public static void main(String[] args) throws InterruptedException {
        ReferenceQueue<Object> queue = new ReferenceQueue<>();
        WeakReference<Object> reference = new WeakReference<>(new Object(), queue);
        boolean isQueued = false;
        for (int i = 0; i < 10 && !isQueued; i++) {
            System.gc();
            isQueued = queue.remove(100) == reference;
        }
        System.out.println(isQueued + " " + reference.get());
    }
}
