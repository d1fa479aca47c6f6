package korat.finitization.impl;

import java.util.ArrayList;
import java.util.List;
import korat.finitization.IClassDomain;
import korat.finitization.IObjSet;

/** A field domain of objects: null if allowed, then the objects of each class domain in the order of adding. */
public class ObjSet extends FieldDomain implements IObjSet {
    private final ArrayList<ClassDomain> domains = new ArrayList<ClassDomain>();
    private boolean nullAllowed;

    ObjSet(Class<?> classOfField) {
        super(classOfField);
        if (classOfField.isArray() || classOfField.isPrimitive()) {
            throw new IllegalArgumentException(
                    "an object set is for fields of a class or an interface, not of " + classOfField.getName());
        }
    }

    /** A copy with the current content. */
    ObjSet copy() {
        ObjSet copy = new ObjSet(classOfField);
        copy.domains.addAll(domains);
        copy.nullAllowed = nullAllowed;
        return copy;
    }

    /** A domain without objects, or one that is already present, is not added. */
    public boolean addClassDomain(IClassDomain domain) {
        if (domain.getClassOfObjects() == null) {
            boolean changed = !nullAllowed;
            setNullAllowed(true);
            return changed;
        }
        if (!classOfField.isAssignableFrom(domain.getClassOfObjects())) {
            throw new IllegalArgumentException(
                    "a field of " + classOfField.getName() + " cannot hold objects of "
                            + domain.getClassNameOfObjects());
        }
        if (domains.contains(domain) || domain.getSize() == 0) {
            return false;
        }
        domains.add((ClassDomain) domain);
        return true;
    }

    public boolean removeClassDomain(IClassDomain domain) {
        if (domain.getClassOfObjects() == null) {
            boolean changed = nullAllowed;
            setNullAllowed(false);
            return changed;
        }
        return domains.remove(domain);
    }

    public ClassDomain removeClassDomain(int index) {
        ClassDomain domain = getClassDomain(index);
        if (domain == NullClassDomain.getInstance()) {
            setNullAllowed(false);
        } else if (domain != null) {
            domains.remove(domain);
        }
        return domain;
    }

    public List<IClassDomain> getClassDomains() {
        return new ArrayList<IClassDomain>(domains);
    }

    /** The class domain at an index; if null is allowed, its own domain is the first. */
    public ClassDomain getClassDomain(int index) {
        return index < 0 || index >= domains.size() ? null : domains.get(index);
    }

    public int getNumOfClassDomains() {
        return domains.size();
    }

    public int getNumberOfElements() {
        int size = 0;
        for (int i = 0; i < domains.size(); i++) {
            size += Math.max(0, domains.get(i).getSize());
        }
        return size;
    }

    public boolean isPrimitiveType() {
        return false;
    }

    public boolean isArrayType() {
        return false;
    }

    /** Null if allowed, and the objects added by hand; refused if other objects do not exist yet. */
    public Object[] getAllObjects() {
        ArrayList<Object> objects = new ArrayList<Object>();
        for (int i = 0; i < domains.size(); i++) {
            ClassDomain domain = domains.get(i);
            if (domain == NullClassDomain.getInstance()) {
                objects.add(null);
            } else {
                domain.copyObjectsTo(objects);
            }
        }
        return objects.toArray();
    }

    public Object[] getObjectsOfClass(Class<?> type) {
        ArrayList<Object> objects = new ArrayList<Object>();
        for (int i = 0; i < domains.size(); i++) {
            ClassDomain domain = domains.get(i);
            if (domain.getClassOfObjects() != null && type.isAssignableFrom(domain.getClassOfObjects())) {
                domain.copyObjectsTo(objects);
            }
        }
        return objects.toArray();
    }

    public void setNullAllowed(boolean allowed) {
        if (allowed && !nullAllowed) {
            domains.add(0, NullClassDomain.getInstance());
        } else if (!allowed && nullAllowed) {
            domains.remove(0);
        }
        nullAllowed = allowed;
    }

    public boolean isNullAllowed() {
        return nullAllowed;
    }

    void describe(StringBuilder out, Description description) {
        out.append("objects ").append(classOfField.getName()).append(nullAllowed ? " null" : " nonnull");
        for (int i = nullAllowed ? 1 : 0; i < domains.size(); i++) {
            out.append(' ').append(description.classNumber(domains.get(i)));
        }
    }

    /** A set without objects is legal: its fields stay null. */
    String fault() {
        return null;
    }
}
