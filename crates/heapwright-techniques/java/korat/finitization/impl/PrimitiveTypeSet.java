package korat.finitization.impl;

/** A field domain of primitive values. */
public abstract class PrimitiveTypeSet extends FieldDomain {
    PrimitiveTypeSet(Class<?> classOfField) {
        super(classOfField);
    }

    public int getNumOfClassDomains() {
        return 1;
    }

    public ClassDomain getClassDomain(int index) {
        return null;
    }

    public boolean isPrimitiveType() {
        return true;
    }

    public boolean isArrayType() {
        return false;
    }

    String fault() {
        if (getNumberOfElements() == 0) {
            return "an empty " + classOfField.getName() + " set";
        }
        return null;
    }
}
