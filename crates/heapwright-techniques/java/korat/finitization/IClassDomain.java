package korat.finitization;

import java.util.Collection;

/** The objects of one class that a search may use. */
public interface IClassDomain {
    Class<?> getClassOfObjects();

    String getClassNameOfObjects();

    int getSize();

    void includeInIsomorphismCheck(boolean included);

    boolean isIncludedInIsomorphismChecking();

    void addObject(Object object);

    void addObjects(Object[] objects);

    void addObjects(Collection<?> objects);
}
