package org.mockito.internal.creation.bytebuddy;

import org.mockito.internal.creation.heapwright.EngineMockMaker;

/** Mock maker of Mockito that makes subclasses, under its other name. */
public final class SubclassByteBuddyMockMaker extends EngineMockMaker {
    public SubclassByteBuddyMockMaker() {
        super(false);
    }
}
