package acme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class ASizeTest {
    @Test
    void aSizeThatIsSetStays() {
        System.setProperty("acme.size", "4");
        assertEquals(8, new Size().doubled());
    }
}
