package korat.finitization;

/** A field domain of arrays: their lengths and their elements come from one domain each. */
public interface IArraySet extends IFieldDomain {
    void setArraySizes(IIntSet lengths);

    IIntSet getArraySizes();

    void setComponentsSet(IFieldDomain components);

    IFieldDomain getComponentsSet();
}
