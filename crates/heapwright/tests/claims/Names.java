package claims;

import java.util.ArrayList;

/** A list of which derived bounds choose one field. */
public class Names extends ArrayList<String> {
    private static final long serialVersionUID = 1;
    private int seen;

    public boolean repOK() {
        return seen <= 1;
    }
}
