package org.heapwright.launcher;

/** The log of a build. */
public interface Log {
    /** Writes a line about what is done or was found. */
    void info(String line);

    /** Writes a line about something that the user should look at. */
    void warn(String line);
}
