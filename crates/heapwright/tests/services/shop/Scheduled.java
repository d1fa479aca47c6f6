package shop;

/** What scheduled services have in common. */
public abstract class Scheduled {
    @Injected private Ticker ticker;

    protected boolean isDue(long last) {
        return ticker.now() - last >= 60;
    }
}
