package acme;

import java.net.HttpURLConnection;

/** A mode that all of the program reads: a static field of the JDK that nothing puts back. */
public class Mode {
    public boolean beStrict(boolean isStrict) {
        if (isStrict) {
            HttpURLConnection.setFollowRedirects(false);
        }
        return isStrict;
    }
}
