package org.mockito.internal.creation.bytebuddy;

import org.mockito.internal.creation.heapwright.EngineMockMaker;

/** Mock maker of Mockito that makes subclasses, the default one from release 2 to 4. */
public final class ByteBuddyMockMaker extends EngineMockMaker {
    public ByteBuddyMockMaker() {
        super(false);
    }
}
