package probe;

import java.io.IOException;

/** A method for each way to refuse. */
public class Refuser {
    static class Full extends RuntimeException {
        Full(String message) {
            super(message);
        }
    }

    private int count;

    public void usual(int value) {
        if (value > 0) {
            throw new IllegalArgumentException();
        }
    }

    public void declared() throws IOException {
        throw new IOException();
    }

    public int nullArgument(String text) {
        return text.length();
    }

    public int nullOfItsOwn(int value) {
        String text = value == 0 ? null : "";
        return text.length();
    }

    public void bounds(int value) {
        if (value == 1) {
            throw new IndexOutOfBoundsException("no " + value);
        }
    }

    public void own() {
        throw new Full("full");
    }

    /** Refuses, but too late. */
    public void late(int value) {
        count = -1;
        if (value == 1) {
            throw new IllegalStateException();
        }
        count = 0;
    }

    public boolean repOK() {
        return count == 0;
    }
}
