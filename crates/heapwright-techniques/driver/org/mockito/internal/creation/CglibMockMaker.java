package org.mockito.internal.creation;

import org.mockito.internal.creation.heapwright.EngineMockMaker;

/** Mock maker of Mockito before 1.10. */
public final class CglibMockMaker extends EngineMockMaker {
    public CglibMockMaker() {
        super(false);
    }
}
