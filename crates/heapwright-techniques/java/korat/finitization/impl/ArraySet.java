package korat.finitization.impl;

import korat.finitization.IArraySet;
import korat.finitization.IFieldDomain;
import korat.finitization.IIntSet;

/** A field domain of arrays: the class domain of the array class has their number. */
public class ArraySet extends FieldDomain implements IArraySet {
    private final ClassDomain arrays;
    private IntSet lengths;
    private FieldDomain components;

    ArraySet(ClassDomain arrays, IntSet lengths, FieldDomain components) {
        super(arrays.getClassOfObjects());
        this.arrays = arrays;
        this.lengths = lengths;
        this.components = components;
    }

    public void setArraySizes(IIntSet lengths) {
        this.lengths = (IntSet) lengths;
    }

    public IIntSet getArraySizes() {
        return lengths;
    }

    public void setComponentsSet(IFieldDomain components) {
        this.components = (FieldDomain) components;
    }

    public IFieldDomain getComponentsSet() {
        return components;
    }

    public int getMaxLength() {
        return lengths.getMax();
    }

    public boolean isPrimitiveType() {
        return false;
    }

    public boolean isArrayType() {
        return true;
    }

    public int getNumberOfElements() {
        return Math.max(0, arrays.getSize());
    }

    public int getNumOfClassDomains() {
        return 1;
    }

    public ClassDomain getClassDomain(int index) {
        return arrays;
    }

    void describe(StringBuilder out, Description description) {
        out.append("array ").append(description.classNumber(arrays));
        out.append(' ').append(description.domainNumber(lengths));
        out.append(' ').append(description.domainNumber(components));
    }

    String fault() {
        if (arrays.getSize() <= 0) {
            return "an array set without arrays";
        }
        if (lengths.fault() != null) {
            return "an array set without lengths";
        }
        if (lengths.getMin() < 0) {
            return "an array set with the negative length " + lengths.getMin();
        }
        String fault = components.fault();
        return fault == null ? null : "an array set whose elements have " + fault;
    }
}
