package org.heapwright.launcher;

/** Meaning of the program's exit code. */
public enum Outcome {
    /** The request was carried out. */
    DONE(0),
    /** A counterexample, a failing behaviour, a failing test or a difference was found. */
    FOUND(1),
    /** The request was wrong: an option, a class that does not exist, an unreadable input. */
    WRONG_REQUEST(2),
    /** A limit was reached; the result is partial. */
    PARTIAL(3),
    /** There is nothing to generate or to call. */
    NOTHING(4),
    /** The program itself has failed. */
    FAULT(70);

    private final int code;

    Outcome(int code) {
        this.code = code;
    }

    /** The exit code. */
    public int code() {
        return code;
    }

    /** Whether the program wrote a result. */
    public boolean hasResult() {
        return this != WRONG_REQUEST && this != FAULT;
    }

    /** Outcome of a process; every code that is none of the program's own is a fault. */
    public static Outcome of(int code) {
        for (Outcome outcome : values()) {
            if (outcome.code == code) {
                return outcome;
            }
        }
        return FAULT;
    }
}
