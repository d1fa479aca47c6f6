package threads.timers;

import java.util.Timer;
import java.util.TimerTask;
import java.util.concurrent.CountDownLatch;

/** Timers: order, repetition, cancelling. */
public class Main {
    public static void main(String[] args) throws Exception {
        Timer timer = new Timer("timer", true);
        CountDownLatch done = new CountDownLatch(5);
        StringBuffer text = new StringBuffer();
        timer.schedule(task(text, "late ", done), 60);
        timer.schedule(task(text, "early ", done), 20);
        int[] rounds = {0};
        timer.schedule(new TimerTask() {
            @Override
            public void run() {
                text.append("round").append(rounds[0]++).append(' ');
                if (rounds[0] == 3) {
                    System.out.println(cancel() + " " + cancel());
                }
                done.countDown();
            }
        }, 100, 40);
        TimerTask never = task(text, "never ", done);
        timer.schedule(never, 500);
        System.out.println(never.cancel());
        done.await();
        timer.cancel();
        System.out.println(text);
        System.out.println(timer.purge());
        try {
            timer.schedule(task(text, "", done), 1);
        } catch (IllegalStateException thrown) {
            System.out.println(thrown.getMessage());
        }
    }

    static TimerTask task(StringBuffer text, String word, CountDownLatch done) {
        return new TimerTask() {
            @Override
            public void run() {
                text.append(word);
                done.countDown();
            }
        };
    }
}
