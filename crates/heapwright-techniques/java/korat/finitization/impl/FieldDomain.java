package korat.finitization.impl;

import korat.finitization.IFieldDomain;

/** What every field domain here can do: write itself into a description. */
public abstract class FieldDomain implements IFieldDomain {
    protected Class<?> classOfField;

    FieldDomain(Class<?> classOfField) {
        if (classOfField == null) {
            throw new IllegalArgumentException("a field domain needs the class of its field");
        }
        this.classOfField = classOfField;
    }

    public Class<?> getClassOfField() {
        return classOfField;
    }

    public abstract int getNumOfClassDomains();

    public abstract int getNumberOfElements();

    public abstract ClassDomain getClassDomain(int index);

    /** Appends what follows the domain's number in its line: the kind, then the values. */
    abstract void describe(StringBuilder out, Description description);

    /** Why no search can use this domain, or null. */
    abstract String fault();
}
