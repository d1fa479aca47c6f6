package korat.finitization.impl;

import java.util.ArrayList;
import java.util.Collection;
import korat.finitization.IClassDomain;

/**
 * Number of objects of one class that a search may use, besides those that were added by hand. The search engine
 * creates the objects. Two domains of one class are equal.
 */
public class ClassDomain implements IClassDomain {
    private final Class<?> classOfObjects;
    private final ArrayList<Object> added = new ArrayList<Object>();
    private boolean isomorphismCheck;
    int count;

    ClassDomain(Class<?> classOfObjects, int count) {
        this.classOfObjects = classOfObjects;
        this.count = count;
        this.isomorphismCheck = classOfObjects != null;
    }

    public Class<?> getClassOfObjects() {
        return classOfObjects;
    }

    public String getClassNameOfObjects() {
        return classOfObjects.getName();
    }

    public int getSize() {
        return added.size() + count;
    }

    public void includeInIsomorphismCheck(boolean included) {
        isomorphismCheck = included;
    }

    public boolean isIncludedInIsomorphismChecking() {
        return isomorphismCheck;
    }

    /** Objects of another class are ignored silently, as in the original. */
    public void addObject(Object object) {
        if (object == null) {
            throw new IllegalArgumentException("class domain of " + getClassNameOfObjects() + ": null cannot be added");
        }
        if (classOfObjects.isAssignableFrom(object.getClass())) {
            added.add(object);
        }
    }

    public void addObjects(Object[] objects) {
        for (int i = 0; i < objects.length; i++) {
            addObject(objects[i]);
        }
    }

    public void addObjects(Collection<?> objects) {
        addObjects(objects.toArray());
    }

    final int addedCount() {
        return added.size();
    }

    final Object[] addedObjects() {
        return added.toArray();
    }

    final void copyObjectsTo(ArrayList<Object> target) {
        if (count > 0) {
            throw new UnsupportedOperationException(
                    "class domain of " + getClassNameOfObjects() + ": its " + count
                            + " objects do not exist before the search starts");
        }
        target.addAll(added);
    }

    public boolean equals(Object other) {
        return other instanceof ClassDomain && ((ClassDomain) other).classOfObjects == classOfObjects;
    }

    public int hashCode() {
        return classOfObjects == null ? 0 : getClassNameOfObjects().hashCode();
    }

    public String toString() {
        return getClassNameOfObjects() + ":" + getSize();
    }
}
