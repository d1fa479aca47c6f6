package com.acme.shop;

import com.acme.stock.Shelf;

/** An order for things on a shelf. */
public class Order {
    private int wanted;

    public Order(int wanted) {
        if (wanted < 1 || wanted > 3) {
            throw new IllegalArgumentException("one to three things");
        }
        this.wanted = wanted;
    }

    /** Takes what is there, and returns what is still wanted. */
    public int fill(Shelf shelf) {
        while (wanted > 0 && shelf.take()) {
            wanted--;
        }
        return wanted;
    }

    public boolean isFilled() {
        return wanted == 0;
    }
}
