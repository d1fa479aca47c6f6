package org.heapwright.launcher;

/** A request that cannot be carried out. The message names what is wrong and what to do. */
public final class LauncherException extends Exception {
    public LauncherException(String message) {
        super(message);
    }

    public LauncherException(String message, Throwable cause) {
        super(message, cause);
    }
}
