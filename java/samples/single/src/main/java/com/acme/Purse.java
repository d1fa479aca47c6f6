package com.acme;

/** A purse that lends money, which its invariant forbids. */
public class Purse {
    private int coins;

    public boolean repOK() {
        return coins >= 0;
    }

    public void put(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("negative");
        }
        coins = Math.addExact(coins, count);
    }

    public void take(int count) {
        if (count < 0) {
            throw new IllegalArgumentException("negative");
        }
        coins -= count;
    }

    public int coins() {
        return coins;
    }
}
