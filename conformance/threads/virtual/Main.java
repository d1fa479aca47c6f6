package threads.virtual;

import java.lang.reflect.Method;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Virtual threads, where the JDK has them. */
public class Main {
    public static void main(String[] args) throws Exception {
        Method start;
        try {
            start = Thread.class.getMethod("startVirtualThread", Runnable.class);
        } catch (NoSuchMethodException e) {
            System.out.println("none");
            return;
        }
        Method isVirtual = Thread.class.getMethod("isVirtual");
        AtomicInteger count = new AtomicInteger();
        Thread[] threads = new Thread[50];
        for (int i = 0; i < threads.length; i++) {
            threads[i] = (Thread) start.invoke(null, (Runnable) () -> {
                try {
                    Thread.sleep(3);
                } catch (InterruptedException e) {
                    throw new AssertionError(e);
                }
                synchronized (count) {
                    count.incrementAndGet();
                }
            });
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println(count + " " + isVirtual.invoke(threads[0]) + " " + threads[0].isDaemon() + " " + threads[0].getState());
        Method executor = Executors.class.getMethod("newVirtualThreadPerTaskExecutor");
        ExecutorService each = (ExecutorService) executor.invoke(null);
        Callable<Boolean> task = () -> (Boolean) isVirtual.invoke(Thread.currentThread());
        Future<Boolean> future = each.submit(task);
        System.out.println(future.get());
        each.shutdown();
        System.out.println(each.isShutdown());
    }
}
