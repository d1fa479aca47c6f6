package korat.finitization;

/** The values one field may take, in the order in which they are tried. */
public interface IFieldDomain {
    Class<?> getClassOfField();

    boolean isPrimitiveType();

    int getNumberOfElements();

    boolean isArrayType();

    int getNumOfClassDomains();
}
