package org.mockito.internal.creation.heapwright;

import org.mockito.exceptions.base.MockitoException;
import org.mockito.plugins.MockMaker;

/** Static methods of a class as those of a mock. */
final class StaticMock<T> implements MockMaker.StaticMockControl<T> {
    private final Class<T> type;
    private final Mocks.Entry entry;

    StaticMock(Class<T> type, Mocks.Entry entry) {
        this.type = type;
        this.entry = entry;
    }

    @Override
    public Class<T> getType() {
        return type;
    }

    @Override
    public void enable() {
        if (Mocks.statics().putIfAbsent(type, entry) != null) {
            throw new MockitoException("For " + type.getName() + ", static mocking is already registered in the current thread\n\n"
                    + "To create a new mock, the existing static mock registration must be deregistered");
        }
        Mocks.intercept(type, false);
    }

    @Override
    public void disable() {
        if (Mocks.statics().remove(type) == null) {
            throw new MockitoException("Could not deregister " + type.getName() + " as a static mock since it is not currently registered");
        }
    }
}
