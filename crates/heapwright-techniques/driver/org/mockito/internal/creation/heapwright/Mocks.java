package org.mockito.internal.creation.heapwright;

import java.lang.reflect.Constructor;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.Map;
import org.mockito.invocation.MockHandler;
import org.mockito.mock.MockCreationSettings;

/**
 * Mocks that the engine makes. Their classes have methods for all that can be called on them, which call {@link #dispatch}; static
 * methods and constructors ask here first, once they are intercepted. Stack traces that Mockito looks at end before this package.
 */
final class Mocks {
    /** What answers for a mock. */
    static final class Entry {
        final MockHandler<?> handler;
        final MockCreationSettings<?> settings;

        Entry(MockHandler<?> handler, MockCreationSettings<?> settings) {
            this.handler = handler;
            this.settings = settings;
        }
    }

    private static final Map<Object, Entry> ENTRIES = new IdentityHashMap<>();
    private static final ThreadLocal<Map<Class<?>, Entry>> STATICS = ThreadLocal.withInitial(HashMap::new);
    private static final ThreadLocal<Map<Class<?>, Construction<?>>> CONSTRUCTIONS = ThreadLocal.withInitial(HashMap::new);
    /** Static method whose next call in the thread is that of its own code. */
    private static final ThreadLocal<Method> OWN = new ThreadLocal<>();

    private Mocks() {}

    /**
     * An object of a class that is made for a type and interfaces. With {@code inline}, final methods are mocked, too, and a class
     * that can have objects is also that of the mock.
     */
    static native Object make(Class<?> type, Class<?>[] interfaces, boolean inline);

    /** Makes an object one of the class that {@link #make} makes for its class. */
    static native void mock(Object object);

    /** Copies the fields of an object to a mock of its class. */
    static native void copy(Object from, Object to);

    /** Runs a constructor on an object. */
    static native void construct(Object object, Constructor<?> constructor, Object[] arguments);

    /** Calls the very method, whatever overrides it. */
    static native Object call(Object object, Method method, Object[] arguments);

    /** Makes the static methods of a class, or its constructors, ask first. */
    static native void intercept(Class<?> type, boolean constructors);

    static synchronized Entry entryOf(Object mock) {
        return ENTRIES.get(mock);
    }

    static synchronized void enter(Object mock, Entry entry) {
        ENTRIES.put(mock, entry);
    }

    static synchronized void remove(Object mock) {
        ENTRIES.remove(mock);
    }

    static Map<Class<?>, Entry> statics() {
        return STATICS.get();
    }

    static Map<Class<?>, Construction<?>> constructions() {
        return CONSTRUCTIONS.get();
    }

    /** What {@code equals} says of a mock. */
    static boolean same(Object mock, Object other) {
        return mock == other;
    }

    /** Result of a call on a mock. */
    static Object dispatch(Object mock, Method method, Object[] arguments) throws Throwable {
        Entry entry = entryOf(mock);
        return entry == null ? real(mock, method, arguments) : Invocations.handle(entry, mock, method, arguments);
    }

    /** Result of a static method or of no constructor in an array; null if its own code is to run. */
    static Object[] intercepted(Object made, Executable called, Object[] arguments) throws Throwable {
        Class<?> type = called.getDeclaringClass();
        if (called instanceof Method) {
            Entry entry = STATICS.get().get(type);
            if (entry == null) {
                return null;
            }
            if (called.equals(OWN.get())) {
                OWN.remove();
                return null;
            }
            return new Object[] {Invocations.handle(entry, type, (Method) called, arguments)};
        }
        Construction<?> construction = made.getClass() == type ? CONSTRUCTIONS.get().get(type) : null;
        if (construction == null) {
            return null;
        }
        construction.made(made, (Constructor<?>) called, arguments);
        return new Object[0];
    }

    /** Result of the own code of a method. */
    static Object real(Object mock, Method method, Object[] arguments) throws Throwable {
        if (Modifier.isStatic(method.getModifiers())) {
            OWN.set(method);
            try {
                return call(null, method, arguments);
            } finally {
                OWN.remove();
            }
        }
        return Modifier.isAbstract(method.getModifiers()) ? null : call(mock, method, arguments);
    }
}
