package org.junit.runner.manipulation;

/** As in JUnit 4, as far as the driver uses it. */
public class NoTestsRemainException extends Exception {}
