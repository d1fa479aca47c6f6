package org.mockito;

import java.lang.reflect.Constructor;
import java.util.List;

public interface MockedConstruction<T> {
    interface Context {
        int getCount();

        Constructor<?> constructor();

        List<?> arguments();
    }

    interface MockInitializer<T> {
        void prepare(T mock, Context context) throws Throwable;
    }
}
