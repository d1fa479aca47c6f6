package org.mockito.internal.creation.cglib;

import org.mockito.internal.creation.heapwright.EngineMockMaker;

/** Mock maker of Mockito 1. */
public final class CglibMockMaker extends EngineMockMaker {
    public CglibMockMaker() {
        super(false);
    }
}
