package org.mockito.plugins;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.mockito.MockedConstruction;
import org.mockito.invocation.MockHandler;
import org.mockito.mock.MockCreationSettings;

public interface MockMaker {
    <T> T createMock(MockCreationSettings<T> settings, MockHandler handler);

    <T> Optional<T> createSpy(MockCreationSettings<T> settings, MockHandler handler, T object);

    MockHandler getHandler(Object mock);

    void resetMock(Object mock, MockHandler handler, MockCreationSettings settings);

    TypeMockability isTypeMockable(Class<?> type);

    <T> StaticMockControl<T> createStaticMock(Class<T> type, MockCreationSettings<T> settings, MockHandler handler);

    <T> ConstructionMockControl<T> createConstructionMock(
            Class<T> type,
            Function<MockedConstruction.Context, MockCreationSettings<T>> settings,
            Function<MockedConstruction.Context, MockHandler<T>> handlers,
            MockedConstruction.MockInitializer<T> initializer);

    interface TypeMockability {
        boolean mockable();

        String nonMockableReason();
    }

    interface StaticMockControl<T> {
        Class<T> getType();

        void enable();

        void disable();
    }

    interface ConstructionMockControl<T> {
        Class<T> getType();

        void enable();

        void disable();

        List<T> getMocks();
    }
}
