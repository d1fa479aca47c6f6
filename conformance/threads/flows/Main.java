package threads.flows;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Flow;
import java.util.concurrent.SubmissionPublisher;

/** Reactive streams by a publisher of the JDK. */
public class Main {
    public static void main(String[] args) throws Exception {
        List<String> seen = new CopyOnWriteArrayList<>();
        CountDownLatch done = new CountDownLatch(1);
        try (SubmissionPublisher<Integer> publisher = new SubmissionPublisher<>(Runnable::run, 16)) {
            publisher.subscribe(new Flow.Subscriber<>() {
                private Flow.Subscription subscription;

                @Override
                public void onSubscribe(Flow.Subscription given) {
                    subscription = given;
                    seen.add("subscribed");
                    given.request(2);
                }

                @Override
                public void onNext(Integer item) {
                    seen.add("item " + item);
                    subscription.request(1);
                }

                @Override
                public void onError(Throwable thrown) {
                    seen.add("error");
                }

                @Override
                public void onComplete() {
                    seen.add("complete");
                    done.countDown();
                }
            });
            for (int item = 0; item < 4; item++) {
                publisher.submit(item);
            }
            System.out.println(publisher.hasSubscribers() + " " + publisher.getNumberOfSubscribers());
        }
        done.await();
        System.out.println(seen);
    }
}
