package korat.finitization.impl;

import java.util.ArrayList;
import korat.finitization.IArraySet;
import korat.finitization.IBooleanSet;
import korat.finitization.IByteSet;
import korat.finitization.IClassDomain;
import korat.finitization.IDoubleSet;
import korat.finitization.IFieldDomain;
import korat.finitization.IFinitization;
import korat.finitization.IFloatSet;
import korat.finitization.IIntSet;
import korat.finitization.ILongSet;
import korat.finitization.IObjSet;
import korat.finitization.IShortSet;

/**
 * Records bounds; creates no object and reads no field. The search engine reads them through {@link #describe} and
 * {@link #addedObjects}, and checks there that the fields exist.
 */
public class Finitization implements IFinitization {
    private final Class<?> rootClass;
    private final ClassDomain rootDomain;
    private final ArrayList<ClassDomain> classDomains = new ArrayList<ClassDomain>();
    private final ArrayList<Assignment> fields = new ArrayList<Assignment>();
    private final ArrayList<Assignment> additions = new ArrayList<Assignment>();
    private final ArrayList<Finitization> included = new ArrayList<Finitization>();
    private boolean arraysAsObjects;
    private Description described;

    public Finitization(Class<?> rootClass) {
        if (rootClass == null) {
            throw new IllegalArgumentException("a finitization needs its root class");
        }
        this.rootClass = rootClass;
        rootDomain = new ClassDomain(rootClass, 1);
        classDomains.add(rootDomain);
    }

    /** The bounds as text, in the format of {@link Description}. */
    public String describe() {
        described = new Description(classDomains);
        return described.text(rootDomain, arraysAsObjects, fields, additions);
    }

    /** The objects that were added by hand to a class domain, by its number in the last description. */
    public Object[] addedObjects(int classNumber) {
        return described.classes().get(classNumber).addedObjects();
    }

    public Class<?> getFinClass() {
        return rootClass;
    }

    public boolean areArraysHandledAsObjects() {
        return arraysAsObjects;
    }

    public void handleArraysAsObjects(boolean asObjects) {
        arraysAsObjects = asObjects;
    }

    public IClassDomain createClassDomain(String className, int count) {
        return createClassDomain(classNamed(className), count);
    }

    public IClassDomain createClassDomain(String className) {
        return createClassDomain(className, 0);
    }

    public IClassDomain createClassDomain(Class<?> type) {
        return createClassDomain(type, 0);
    }

    /** Each class has one domain; a repeated request enlarges it to the greater count. */
    public IClassDomain createClassDomain(Class<?> type, int count) {
        ClassDomain domain = domainOf(type);
        if (domain == null) {
            if (type.isInterface() || type.isPrimitive()) {
                throw new IllegalArgumentException(
                        "there are no objects of " + type.getName() + ": a class domain is of a class");
            }
            domain = new ClassDomain(type, count);
            classDomains.add(domain);
        } else if (domain.addedCount() > 0) {
            throw new UnsupportedOperationException(
                    "class domain of " + type.getName() + ": objects were added to it, it cannot grow");
        } else if (domain.count < count) {
            domain.count = count;
        }
        return domain;
    }

    private ClassDomain domainOf(Class<?> type) {
        for (int i = 0; i < classDomains.size(); i++) {
            if (classDomains.get(i).getClassOfObjects() == type) {
                return classDomains.get(i);
            }
        }
        return null;
    }

    /** Finds a class by its full name, by its name in the root's package, or as nested in the root. */
    private Class<?> classNamed(String name) {
        String rootName = rootClass.getName();
        int dot = rootName.lastIndexOf('.');
        String[] candidates = {name, dot < 0 ? name : rootName.substring(0, dot + 1) + name, rootName + "$" + name};
        for (int i = 0; i < candidates.length; i++) {
            for (int j = 0; j < classDomains.size(); j++) {
                Class<?> known = classDomains.get(j).getClassOfObjects();
                if (known.getName().equals(candidates[i])) {
                    return known;
                }
            }
        }
        for (int i = 0; i < candidates.length; i++) {
            try {
                return Class.forName(candidates[i], false, rootClass.getClassLoader());
            } catch (ClassNotFoundException absent) {
                continue;
            }
        }
        throw new IllegalArgumentException(
                "there is no class " + name + ", nor " + candidates[1] + ", nor " + candidates[2]);
    }

    public IBooleanSet createBooleanSet() {
        return new BooleanSet();
    }

    public IIntSet createIntSet(int min, int step, int max) {
        return new IntSet(min, step, max);
    }

    public IIntSet createIntSet(int min, int max) {
        return new IntSet(min, 1, max);
    }

    public IIntSet createIntSet(int value) {
        return new IntSet(value, 1, value);
    }

    public IByteSet createByteSet(byte min, byte step, byte max) {
        return new ByteSet(min, step, max);
    }

    public IByteSet createByteSet(byte min, byte max) {
        return new ByteSet(min, (byte) 1, max);
    }

    public IByteSet createByteSet(byte value) {
        return new ByteSet(value, (byte) 1, value);
    }

    public IShortSet createShortSet(short min, short step, short max) {
        return new ShortSet(min, step, max);
    }

    public IShortSet createShortSet(short min, short max) {
        return new ShortSet(min, (short) 1, max);
    }

    public IShortSet createShortSet(short value) {
        return new ShortSet(value, (short) 1, value);
    }

    public ILongSet createLongSet(long min, long step, long max) {
        return new LongSet(min, step, max);
    }

    public ILongSet createLongSet(long min, long max) {
        return new LongSet(min, 1, max);
    }

    public ILongSet createLongSet(long value) {
        return new LongSet(value, 1, value);
    }

    public IDoubleSet createDoubleSet(double min, double step, double max) {
        return new DoubleSet(min, step, max);
    }

    public IDoubleSet createDoubleSet(double min, double max) {
        return new DoubleSet(min, 1, max);
    }

    public IDoubleSet createDoubleSet(double value) {
        return new DoubleSet(value, 1, value);
    }

    public IFloatSet createFloatSet(float min, float step, float max) {
        return new FloatSet(min, step, max);
    }

    public IFloatSet createFloatSet(float min, float max) {
        return new FloatSet(min, 1, max);
    }

    public IFloatSet createFloatSet(float value) {
        return new FloatSet(value, 1, value);
    }

    public IObjSet createObjSet(Class<?> fieldType, boolean nullAllowed) {
        ObjSet set = new ObjSet(fieldType);
        set.setNullAllowed(nullAllowed);
        return set;
    }

    public IObjSet createObjSet(Class<?> fieldType, int count, boolean nullAllowed) {
        IObjSet set = createObjSet(fieldType, nullAllowed);
        set.addClassDomain(createClassDomain(fieldType, count));
        return set;
    }

    public IObjSet createObjSet(Class<?> fieldType) {
        return createObjSet(fieldType, false);
    }

    public IObjSet createObjSet(Class<?> fieldType, int count) {
        return createObjSet(fieldType, count, false);
    }

    public IObjSet createObjSet(String fieldTypeName, boolean nullAllowed) {
        return createObjSet(classNamed(fieldTypeName), nullAllowed);
    }

    public IObjSet createObjSet(String fieldTypeName, int count, boolean nullAllowed) {
        return createObjSet(classNamed(fieldTypeName), count, nullAllowed);
    }

    public IObjSet createObjSet(String fieldTypeName) {
        return createObjSet(fieldTypeName, false);
    }

    public IObjSet createObjSet(String fieldTypeName, int count) {
        return createObjSet(fieldTypeName, count, false);
    }

    public IFieldDomain createObjSet(IClassDomain domain) {
        return createObjSet(domain, true);
    }

    /** Null is always allowed, as in the original. */
    public IFieldDomain createObjSet(IClassDomain domain, boolean nullAllowed) {
        IObjSet set = createObjSet(domain.getClassOfObjects(), false);
        set.addClassDomain(domain);
        set.setNullAllowed(true);
        return set;
    }

    /** Each array class has one array set. */
    public IArraySet createArraySet(Class<?> type, IIntSet lengths, IFieldDomain components, int count) {
        if (!type.isArray()) {
            throw new IllegalArgumentException("an array set is for an array class, not for " + type.getName());
        }
        ClassDomain arrays = (ClassDomain) createClassDomain(type, 0);
        if (arrays.count > 0) {
            throw new UnsupportedOperationException("there is an array set of " + type.getName() + " already");
        }
        arrays.count = count;
        return new ArraySet(arrays, (IntSet) lengths, (FieldDomain) components);
    }

    /** A name without a dot is a field of the root class; otherwise the text before the last dot is the class. */
    public void set(String fieldName, IFieldDomain domain) {
        set(ownerIn(fieldName), nameIn(fieldName), domain);
    }

    public void set(String className, String fieldName, IFieldDomain domain) {
        set(classNamed(className), fieldName, domain);
    }

    public void set(Class<?> type, String fieldName, IFieldDomain domain) {
        if (fieldName == null || fieldName.length() == 0 || fieldName.indexOf(' ') >= 0) {
            throw new IllegalArgumentException("class " + type.getName() + " has no field \"" + fieldName + "\"");
        }
        if (domain == null) {
            throw new IllegalArgumentException("field " + type.getName() + "." + fieldName + " needs a domain");
        }
        if (getFieldDomain(type, fieldName) != null) {
            throw new IllegalArgumentException("field " + type.getName() + "." + fieldName + " has a domain already");
        }
        ClassDomain owner = domainOf(type);
        if (owner == null) {
            owner = (ClassDomain) createClassDomain(type);
        }
        fields.add(new Assignment(owner, fieldName, (FieldDomain) domain));
    }

    private Class<?> ownerIn(String qualifiedName) {
        int dot = qualifiedName.lastIndexOf('.');
        return dot < 0 ? rootClass : classNamed(qualifiedName.substring(0, dot));
    }

    private static String nameIn(String qualifiedName) {
        return qualifiedName.substring(qualifiedName.lastIndexOf('.') + 1);
    }

    public IClassDomain getClassDomain(String className) {
        return domainOf(classNamed(className));
    }

    public ClassDomain getClassDomain(Class<?> type) {
        return domainOf(type);
    }

    public IFieldDomain getFieldDomain(Class<?> type, String fieldName) {
        for (int i = 0; i < fields.size(); i++) {
            Assignment field = fields.get(i);
            if (field.owner.getClassOfObjects() == type && field.fieldName.equals(fieldName)) {
                return field.domain;
            }
        }
        return null;
    }

    public IFieldDomain getFieldDomain(String className, String fieldName) {
        return getFieldDomain(classNamed(className), fieldName);
    }

    public IFieldDomain getFieldDomain(String fieldName) {
        return getFieldDomain(ownerIn(fieldName), nameIn(fieldName));
    }

    public void addAll(String fieldName, IObjSet objects) {
        addAll(ownerIn(fieldName), nameIn(fieldName), objects);
    }

    public void addAll(String className, String fieldName, IObjSet objects) {
        addAll(classNamed(className), fieldName, objects);
    }

    /**
     * Registers a task for the search engine, once the objects exist: the field's collection gets all objects of the
     * set's current content, including null if it is allowed.
     */
    public void addAll(Class<?> type, String fieldName, IObjSet objects) {
        ClassDomain owner = domainOf(type);
        if (owner == null) {
            throw new IllegalArgumentException(
                    "field " + type.getName() + "." + fieldName + ": its class has no class domain");
        }
        additions.add(new Assignment(owner, fieldName, ((ObjSet) objects).copy()));
    }

    /** Includes the class domains and fields of another finitization, once for each root class. */
    public boolean includeFinitization(IFinitization other) {
        if (getIncludedFinitization(other.getFinClass()) != null) {
            return false;
        }
        Finitization finitization = (Finitization) other;
        for (int i = 0; i < finitization.classDomains.size(); i++) {
            ClassDomain domain = finitization.classDomains.get(i);
            if (domainOf(domain.getClassOfObjects()) != null) {
                throw new UnsupportedOperationException(
                        "the included finitization of " + other.getFinClass().getName() + " and that of "
                                + rootClass.getName() + " both have objects of " + domain.getClassNameOfObjects());
            }
            classDomains.add(domain);
        }
        fields.addAll(finitization.fields);
        additions.addAll(finitization.additions);
        included.add(finitization);
        return true;
    }

    public IFinitization getIncludedFinitization(Class<?> root) {
        for (int i = 0; i < included.size(); i++) {
            if (included.get(i).rootClass == root) {
                return included.get(i);
            }
        }
        return null;
    }
}
