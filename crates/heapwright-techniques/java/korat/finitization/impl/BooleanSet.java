package korat.finitization.impl;

import korat.finitization.IBooleanSet;

/** False, then true. */
public class BooleanSet extends FieldDomain implements IBooleanSet {
    public BooleanSet() {
        super(boolean.class);
    }

    public boolean getBoolean(int index) {
        if (index < 0 || index > 1) {
            throw new IndexOutOfBoundsException("value " + index + " of 2");
        }
        return index == 1;
    }

    public boolean isPrimitiveType() {
        return true;
    }

    public boolean isArrayType() {
        return false;
    }

    public int getNumberOfElements() {
        return 2;
    }

    public int getNumOfClassDomains() {
        return 1;
    }

    public ClassDomain getClassDomain(int index) {
        return null;
    }

    void describe(StringBuilder out, Description description) {
        out.append("boolean");
    }

    String fault() {
        return null;
    }
}
