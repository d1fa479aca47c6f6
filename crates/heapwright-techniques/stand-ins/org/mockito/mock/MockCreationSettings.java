package org.mockito.mock;

import java.util.Set;

public interface MockCreationSettings<T> {
    Class<T> getTypeToMock();

    Set<Class<?>> getExtraInterfaces();
}
