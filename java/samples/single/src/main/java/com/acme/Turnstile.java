package com.acme;

/** A gate that lets one visitor through for each coin. */
public class Turnstile {
    private int coins;
    private boolean isOpen;

    public boolean repOK() {
        return coins >= 0 && isOpen == coins > 0;
    }

    public int insert(int count) {
        if (count <= 0) {
            throw new IllegalArgumentException("no coin");
        }
        coins = Math.addExact(coins, count);
        isOpen = true;
        return coins;
    }

    public boolean pass() {
        if (!isOpen) {
            return false;
        }
        coins--;
        isOpen = coins > 0;
        return true;
    }

    public int coins() {
        return coins;
    }
}
