package threads.hooks;

/** What runs at the end of a program. */
public class Main {
    public static void main(String[] args) throws Exception {
        Thread hook = new Thread(() -> System.out.println("hook after " + Thread.currentThread().getName().isEmpty()));
        Thread removed = new Thread(() -> System.out.println("never"));
        Runtime.getRuntime().addShutdownHook(hook);
        Runtime.getRuntime().addShutdownHook(removed);
        System.out.println(Runtime.getRuntime().removeShutdownHook(removed));
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        Thread worker = new Thread(() -> {
            try {
                Thread.sleep(5);
            } catch (InterruptedException e) {
                System.out.println("interrupted");
            }
            System.out.println("worker ends");
            try {
                Runtime.getRuntime().exit(3);
            } finally {
                System.out.println("never");
            }
        });
        worker.start();
        throw new IllegalStateException("out of main");
    }
}
