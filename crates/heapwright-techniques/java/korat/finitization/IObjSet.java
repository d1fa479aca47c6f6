package korat.finitization;

import java.util.List;

/** A field domain of objects: null if allowed, then class domain after class domain. */
public interface IObjSet extends IFieldDomain {
    boolean addClassDomain(IClassDomain domain);

    boolean removeClassDomain(IClassDomain domain);

    IClassDomain removeClassDomain(int index);

    List<IClassDomain> getClassDomains();

    Object[] getAllObjects();

    Object[] getObjectsOfClass(Class<?> type);

    void setNullAllowed(boolean allowed);

    boolean isNullAllowed();
}
