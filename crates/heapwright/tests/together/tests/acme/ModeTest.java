package acme;

import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.HttpURLConnection;
import org.junit.jupiter.api.Test;

class ModeTest {
    @Test
    void noModeIsSet() {
        assertTrue(HttpURLConnection.getFollowRedirects());
    }
}
