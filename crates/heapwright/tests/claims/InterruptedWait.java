package claims;

/** A wait that another thread may interrupt. */
public final class InterruptedWait {
    private int state;

    public synchronized void pause() throws InterruptedException {
        state = 1;
        wait(1);
        state = 0;
    }

    public boolean isPaused() {
        return state == 1;
    }
}
