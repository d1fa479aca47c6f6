package probe;

/** Does what no test should. */
public class Worker {
    private boolean busy;

    public void start() {
        new Thread(() -> busy = true).start();
    }

    public void leave() {
        System.exit(1);
    }

    public boolean isBusy() {
        return busy;
    }

    public boolean repOK() {
        return true;
    }
}
