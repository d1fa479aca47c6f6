package org.mockito;

import org.mockito.invocation.InvocationFactory;

public interface MockitoFramework {
    InvocationFactory getInvocationFactory();
}
