package org.mockito.internal.creation.heapwright;

import java.lang.reflect.Constructor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;
import org.mockito.MockedConstruction;
import org.mockito.exceptions.base.MockitoException;
import org.mockito.invocation.MockHandler;
import org.mockito.mock.MockCreationSettings;
import org.mockito.plugins.MockMaker;

/** New objects of a class as mocks. */
final class Construction<T> implements MockMaker.ConstructionMockControl<T> {
    private final Class<T> type;
    private final Function<MockedConstruction.Context, MockCreationSettings<T>> settings;
    private final Function<MockedConstruction.Context, MockHandler<T>> handlers;
    private final MockedConstruction.MockInitializer<T> initializer;
    private final List<T> mocks = new ArrayList<>();
    private int count;

    Construction(
            Class<T> type,
            Function<MockedConstruction.Context, MockCreationSettings<T>> settings,
            Function<MockedConstruction.Context, MockHandler<T>> handlers,
            MockedConstruction.MockInitializer<T> initializer) {
        this.type = type;
        this.settings = settings;
        this.handlers = handlers;
        this.initializer = initializer;
    }

    @Override
    public Class<T> getType() {
        return type;
    }

    @Override
    public void enable() {
        if (Mocks.constructions().putIfAbsent(type, this) != null) {
            throw new MockitoException("For " + type.getName() + ", static mocking is already registered in the current thread");
        }
        Mocks.intercept(type, true);
    }

    @Override
    public void disable() {
        Mocks.constructions().remove(type);
    }

    @Override
    public List<T> getMocks() {
        return mocks;
    }

    void made(Object object, Constructor<?> constructor, Object[] arguments) {
        T mock = type.cast(object);
        Context context = new Context(++count, constructor, Collections.unmodifiableList(Arrays.asList(arguments)));
        Mocks.mock(mock);
        Mocks.enter(mock, new Mocks.Entry(handlers.apply(context), settings.apply(context)));
        try {
            initializer.prepare(mock, context);
        } catch (Throwable thrown) {
            Mocks.remove(mock);
            throw new MockitoException("Could not initialize mocked construction", thrown);
        }
        mocks.add(mock);
    }

    private static final class Context implements MockedConstruction.Context {
        private final int count;
        private final Constructor<?> constructor;
        private final List<?> arguments;

        Context(int count, Constructor<?> constructor, List<?> arguments) {
            this.count = count;
            this.constructor = constructor;
            this.arguments = arguments;
        }

        @Override
        public int getCount() {
            return count;
        }

        @Override
        public Constructor<?> constructor() {
            return constructor;
        }

        @Override
        public List<?> arguments() {
            return arguments;
        }
    }
}
