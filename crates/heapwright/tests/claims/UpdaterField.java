package claims;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

/** A field that is written through a field updater alone. */
public class UpdaterField {
    private static final AtomicIntegerFieldUpdater<UpdaterField> COUNT =
            AtomicIntegerFieldUpdater.newUpdater(UpdaterField.class, "count");

    private volatile int count;

    public void raise() {
        COUNT.set(this, 7);
    }

    public boolean isRaised() {
        return count != 0;
    }
}
