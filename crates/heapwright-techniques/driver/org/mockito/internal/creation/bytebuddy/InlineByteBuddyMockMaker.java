package org.mockito.internal.creation.bytebuddy;

import org.mockito.internal.creation.heapwright.EngineMockMaker;

/** Inline mock maker of Mockito, the default one from release 5 on. */
public final class InlineByteBuddyMockMaker extends EngineMockMaker {
    public InlineByteBuddyMockMaker() {
        super(true);
    }
}
