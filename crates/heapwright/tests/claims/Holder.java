package claims;

import java.util.List;

/** Fields and parameters of which derived bounds know null alone. */
public class Holder {
    private List<String> names;
    private Runnable[] tasks;
    private int size;

    public void run(Runtime runtime) {
        size = 0;
    }

    public boolean repOK() {
        return names == null ? size == 0 : names.size() == size;
    }
}
