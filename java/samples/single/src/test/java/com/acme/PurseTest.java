package com.acme;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

class PurseTest {
    @Test
    void coinsAreCounted() {
        Purse purse = new Purse();
        purse.put(3);
        purse.take(1);
        assertEquals(2, purse.coins());
    }
}
