package claims;

/** A structure with a string, of which the invariant asks the length. */
public class Words {
    private String word;
    private Words next;

    public boolean repOK() {
        int left = 10;
        for (Words here = this; here != null; here = here.next) {
            if (--left < 0 || here.word == null || here.word.length() > 6) {
                return false;
            }
        }
        return true;
    }
}
