package acme;

/** A mode that all of the program reads. */
public class Mode {
    public boolean beStrict(boolean isStrict) {
        if (isStrict) {
            System.setProperty("acme.mode", "strict");
        }
        return isStrict;
    }
}
