package com.acme.stock;

/** A shelf with room for a number of things. */
public class Shelf {
    private final int room;
    private int things;

    public Shelf(int room) {
        if (room < 0) {
            throw new IllegalArgumentException("no room");
        }
        this.room = room;
    }

    public boolean put() {
        if (things == room) {
            return false;
        }
        things++;
        return true;
    }

    public boolean take() {
        if (things == 0) {
            return false;
        }
        things--;
        return true;
    }

    public int things() {
        return things;
    }
}
