package org.heapwright.launcher;

/**
 * Result of one run of the program.
 *
 * @param name the verb, and the class where each has a run
 * @param outcome meaning of the exit code
 * @param summary summary, or null for Korat's command line, which has none
 */
public record Result(String name, Outcome outcome, Summary summary) {}
