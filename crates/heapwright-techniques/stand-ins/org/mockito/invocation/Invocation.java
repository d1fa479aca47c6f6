package org.mockito.invocation;

public interface Invocation {}
