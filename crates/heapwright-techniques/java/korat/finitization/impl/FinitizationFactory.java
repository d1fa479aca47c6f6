package korat.finitization.impl;

import korat.finitization.IFinitization;
import korat.finitization.IFinitizationFactory;

/** Makes finitizations. */
public class FinitizationFactory implements IFinitizationFactory {
    private static final FinitizationFactory INSTANCE = new FinitizationFactory();

    private FinitizationFactory() {}

    public static FinitizationFactory getInstance() {
        return INSTANCE;
    }

    public IFinitization createFinitization(Class<?> root) {
        return new Finitization(root);
    }

    public static IFinitization create(Class<?> root) {
        return INSTANCE.createFinitization(root);
    }
}
