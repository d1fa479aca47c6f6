package korat.finitization;

/** A field domain of arrays, each of any of some lengths, with elements from one domain. */
public interface IArraySet extends IFieldDomain {
    void setArraySizes(IIntSet lengths);

    IIntSet getArraySizes();

    void setComponentsSet(IFieldDomain components);

    IFieldDomain getComponentsSet();
}
