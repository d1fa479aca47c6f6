package org.mockito.invocation;

import java.io.Serializable;
import java.lang.reflect.Method;
import org.mockito.mock.MockCreationSettings;

public interface InvocationFactory {
    Invocation createInvocation(
            Object target, MockCreationSettings settings, Method method, RealMethodBehavior real, Object... arguments);

    interface RealMethodBehavior<R> extends Serializable {
        R call() throws Throwable;
    }
}
