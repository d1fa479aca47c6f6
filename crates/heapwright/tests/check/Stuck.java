package probe;

/** Methods that leave what the invariant cannot cope with. */
public class Stuck {
    private int mode;

    public void loop() {
        mode = 100;
    }

    public void fault() {
        mode = 101;
    }

    public int recurse() {
        return 1 + recurse();
    }

    public void eat() {
        Object[] all = null;
        while (true) {
            all = new Object[] {all, new long[100_000]};
        }
    }

    public boolean repOK() {
        while (mode == 100) {
        }
        if (mode == 101) {
            throw new IllegalStateException("mode " + mode);
        }
        return true;
    }
}
