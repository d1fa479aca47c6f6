package org.mockito.internal.creation.heapwright;

import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Proxy;
import org.mockito.Mockito;
import org.mockito.invocation.InvocationFactory;
import org.mockito.mock.MockCreationSettings;

/** Calls on mocks, as Mockito's handlers take them. */
final class Invocations {
    private static final boolean HAS_FACTORY = has("org.mockito.invocation.InvocationFactory$RealMethodBehavior");
    private static Method handle;

    private Invocations() {}

    static Object handle(Mocks.Entry entry, Object mock, Method method, Object[] arguments) throws Throwable {
        Object invocation = HAS_FACTORY
                ? ByFactory.make(mock, entry.settings, method, arguments)
                : ByConstructor.make(mock, method, arguments);
        try {
            return handleMethod(entry.handler.getClass()).invoke(entry.handler, invocation);
        } catch (InvocationTargetException thrown) {
            throw thrown.getCause();
        }
    }

    /** Public method of the type that declares how calls are handled, which differs among releases. */
    private static synchronized Method handleMethod(Class<?> handler) throws ClassNotFoundException {
        if (handle != null && handle.getDeclaringClass().isAssignableFrom(handler)) {
            return handle;
        }
        String[] names = {"org.mockito.invocation.MockHandler", "org.mockito.internal.InternalMockHandler"};
        for (String name : names) {
            if (!has(name)) {
                continue;
            }
            for (Method method : Class.forName(name).getMethods()) {
                if (method.getName().equals("handle") && method.getParameterCount() == 1) {
                    handle = method;
                    return method;
                }
            }
        }
        throw new IllegalStateException("this release of Mockito has no method that handles calls");
    }

    static boolean has(String name) {
        try {
            Class.forName(name, false, Invocations.class.getClassLoader());
            return true;
        } catch (ClassNotFoundException | LinkageError missing) {
            return false;
        }
    }

    /** From release 2.14 on. */
    private static final class ByFactory {
        static Object make(Object mock, MockCreationSettings<?> settings, Method method, Object[] arguments) {
            InvocationFactory.RealMethodBehavior<Object> real = () -> Mocks.real(mock, method, arguments);
            return Mockito.framework().getInvocationFactory().createInvocation(mock, settings, method, real, arguments);
        }
    }

    /** Before: a constructor of Mockito's own, whose parameters are told from each other by their types. */
    private static final class ByConstructor {
        private static final Constructor<?> INVOCATION = constructor();

        private static Constructor<?> constructor() {
            String[] names = {
                "org.mockito.internal.creation.bytebuddy.InterceptedInvocation",
                "org.mockito.internal.invocation.InvocationImpl"
            };
            for (String name : names) {
                if (has(name)) {
                    try {
                        Constructor<?> made = Class.forName(name).getDeclaredConstructors()[0];
                        made.setAccessible(true);
                        return made;
                    } catch (ClassNotFoundException missing) {
                        throw new IllegalStateException(missing);
                    }
                }
            }
            throw new IllegalStateException("this release of Mockito has no class of calls");
        }

        static Object make(Object mock, Method method, Object[] arguments) throws ReflectiveOperationException {
            Class<?>[] types = INVOCATION.getParameterTypes();
            Object[] values = new Object[types.length];
            for (int at = 0; at < types.length; at++) {
                Class<?> type = types[at];
                if (type == Object.class) {
                    values[at] = mock;
                } else if (type == Object[].class) {
                    values[at] = arguments;
                } else if (type == int.class) {
                    values[at] = Class.forName("org.mockito.internal.progress.SequenceNumber").getMethod("next").invoke(null);
                } else if (type.getSimpleName().equals("MockitoMethod")) {
                    Constructor<?> delegating = Class.forName("org.mockito.internal.creation.DelegatingMethod").getConstructors()[0];
                    values[at] = delegating.newInstance(method);
                } else {
                    values[at] = Proxy.newProxyInstance(type.getClassLoader(), new Class<?>[] {type}, (proxy, called, given) ->
                            called.getName().equals("isInvokable")
                                    ? (Object) !Modifier.isAbstract(method.getModifiers())
                                    : Mocks.real(mock, method, arguments));
                }
            }
            return INVOCATION.newInstance(values);
        }
    }
}
