package claims;

/** A structure whose invariant goes round as often as a number says, and one that opens a file. */
public class Rounds {
    private int rounds;
    private Rounds next;

    public boolean repOK() {
        for (int round = 0; round < rounds; round++) {
            if (round == 5000) {
                return false;
            }
        }
        return next == null;
    }

    public boolean opens() throws java.io.IOException {
        if (rounds == 1) {
            new java.io.FileOutputStream("secret").close();
        }
        return next == null;
    }
}
