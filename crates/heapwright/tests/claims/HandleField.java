package claims;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/** A field that is written through a handle alone. */
public class HandleField {
    private static final VarHandle COUNT;

    static {
        try {
            COUNT = MethodHandles.lookup().findVarHandle(HandleField.class, "count", int.class);
        } catch (ReflectiveOperationException e) {
            throw new AssertionError(e);
        }
    }

    private int count;

    public void raise() {
        COUNT.setVolatile(this, 7);
    }

    public boolean isRaised() {
        return count != 0;
    }
}
