package org.mockito.internal.creation.heapwright;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import org.mockito.MockedConstruction;
import org.mockito.exceptions.base.MockitoException;
import org.mockito.invocation.MockHandler;
import org.mockito.mock.MockCreationSettings;
import org.mockito.plugins.MockMaker;

/** Makes mocks by the engine. Its subclasses have the names of the mock makers in whose place they are, in all releases. */
public abstract class EngineMockMaker implements MockMaker {
    private static final Set<Class<?>> NEVER_MOCKED = Set.of(
            Class.class, Boolean.class, Byte.class, Short.class, Character.class, Integer.class, Long.class, Float.class,
            Double.class, String.class);

    /** Whether classes of mocks are those that are mocked, final ones and their final methods included. */
    private final boolean isInline;

    protected EngineMockMaker(boolean isInline) {
        this.isInline = isInline;
    }

    @Override
    public <T> T createMock(MockCreationSettings<T> settings, MockHandler handler) {
        return make(settings, handler, null);
    }

    @Override
    public <T> Optional<T> createSpy(MockCreationSettings<T> settings, MockHandler handler, T object) {
        // Mockito copies the fields otherwise, as far as it can.
        return isInline ? Optional.of(make(settings, handler, object)) : Optional.empty();
    }

    @Override
    public MockHandler getHandler(Object mock) {
        Mocks.Entry entry = mock instanceof Class ? Mocks.statics().get(mock) : Mocks.entryOf(mock);
        return entry == null ? null : entry.handler;
    }

    @Override
    public void resetMock(Object mock, MockHandler handler, MockCreationSettings settings) {
        Mocks.Entry entry = new Mocks.Entry(handler, settings);
        if (mock instanceof Class) {
            Mocks.statics().put((Class<?>) mock, entry);
        } else {
            Mocks.enter(mock, entry);
        }
    }

    @Override
    public TypeMockability isTypeMockable(Class<?> type) {
        String reason = reasonAgainst(type);
        return new TypeMockability() {
            @Override
            public boolean mockable() {
                return reason.isEmpty();
            }

            @Override
            public String nonMockableReason() {
                return reason;
            }
        };
    }

    private String reasonAgainst(Class<?> type) {
        if (type.isPrimitive()) {
            return "primitive type";
        }
        if (isInline) {
            return NEVER_MOCKED.contains(type) ? "Cannot mock wrapper types, String.class or Class.class" : "";
        }
        return Modifier.isFinal(type.getModifiers()) ? "final class" : "";
    }

    @Override
    public <T> StaticMockControl<T> createStaticMock(Class<T> type, MockCreationSettings<T> settings, MockHandler handler) {
        checkInline("static mocks", "mock-maker-inline");
        return new StaticMock<>(type, new Mocks.Entry(handler, settings));
    }

    @Override
    public <T> ConstructionMockControl<T> createConstructionMock(
            Class<T> type,
            Function<MockedConstruction.Context, MockCreationSettings<T>> settings,
            Function<MockedConstruction.Context, MockHandler<T>> handlers,
            MockedConstruction.MockInitializer<T> initializer) {
        checkInline("construction mocks", "mock-maker-inline");
        return new Construction<>(type, settings, handlers, initializer);
    }

    public void clearAllCaches() {}

    private void checkInline(String what, String maker) {
        if (!isInline) {
            throw new MockitoException(
                    "The used MockMaker " + getClass().getSimpleName() + " does not support the creation of " + what + "\n\n"
                            + "Ensure your MockMaker implementation supports this feature: use " + maker);
        }
    }

    private <T> T make(MockCreationSettings<T> settings, MockHandler handler, T spied) {
        Class<T> type = settings.getTypeToMock();
        try {
            Class.forName(type.getName(), true, type.getClassLoader());
        } catch (ClassNotFoundException missing) {
            throw new MockitoException("Mockito cannot mock this class: " + type, missing);
        }
        Class<?>[] interfaces = settings.getExtraInterfaces().toArray(new Class<?>[0]);
        @SuppressWarnings("unchecked")
        T mock = (T) Mocks.make(type, interfaces, isInline);
        Mocks.enter(mock, new Mocks.Entry(handler, settings));
        if (spied != null) {
            Mocks.copy(spied, mock);
        } else if (Boolean.TRUE.equals(ask(settings, "isUsingConstructor"))) {
            // Later releases have an outer object among the arguments.
            Object outer = ask(settings, "getOuterClassInstance");
            Object given = ask(settings, "getConstructorArgs");
            construct(type, mock, given != null ? (Object[]) given : outer == null ? new Object[0] : new Object[] {outer});
        }
        return mock;
    }

    /** Runs the constructor that takes the arguments, as settings say. */
    private static void construct(Class<?> type, Object mock, Object[] arguments) {
        if (type.isInterface()) {
            return;
        }
        Constructor<?> best = null;
        for (Constructor<?> constructor : type.getDeclaredConstructors()) {
            if (takes(constructor.getParameterTypes(), arguments)
                    && (best == null || isNearer(constructor.getParameterTypes(), best.getParameterTypes()))) {
                best = constructor;
            }
        }
        String problem = "Unable to create instance of '" + type.getSimpleName() + "'.\n";
        if (best == null) {
            throw new MockitoException(problem + "Please ensure that the target class has a constructor that matches these "
                    + "argument types: " + Arrays.toString(arguments));
        }
        try {
            Mocks.construct(mock, best, arguments);
        } catch (Throwable thrown) {
            throw new MockitoException(problem + "Please ensure the target class has a constructor that succeeds.", thrown);
        }
    }

    private static boolean takes(Class<?>[] types, Object[] arguments) {
        if (types.length != arguments.length) {
            return false;
        }
        for (int at = 0; at < types.length; at++) {
            Class<?> type = boxOf(types[at]);
            if (arguments[at] == null ? types[at].isPrimitive() : !type.isInstance(arguments[at])) {
                return false;
            }
        }
        return true;
    }

    private static boolean isNearer(Class<?>[] types, Class<?>[] others) {
        for (int at = 0; at < types.length; at++) {
            if (types[at] != others[at] && others[at].isAssignableFrom(types[at])) {
                return true;
            }
        }
        return false;
    }

    private static Class<?> boxOf(Class<?> type) {
        return java.lang.invoke.MethodType.methodType(type).wrap().returnType();
    }

    /** What a setting says that not all releases have. */
    private static Object ask(MockCreationSettings<?> settings, String name) {
        try {
            Method method = MockCreationSettings.class.getMethod(name);
            return method.invoke(settings);
        } catch (ReflectiveOperationException missing) {
            return null;
        }
    }
}
