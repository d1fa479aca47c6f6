package acme;

import static org.junit.jupiter.api.Assertions.assertNull;

import org.junit.jupiter.api.Test;

class ModeTest {
    @Test
    void noModeIsSet() {
        assertNull(System.getProperty("acme.mode"));
    }
}
