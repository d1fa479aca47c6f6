package korat.finitization.impl;

import korat.finitization.IFieldDomain;

/** Common operation of all field domains here: writing themselves into a description. */
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

    /** Appends the rest of the domain's line after its number: the kind, then the values. */
    abstract void describe(StringBuilder out, Description description);

    /** The reason why no search can use this domain, or null. */
    abstract String fault();
}
