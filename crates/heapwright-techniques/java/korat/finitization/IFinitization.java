package korat.finitization;

/** The bounds of a search: which objects there are, and which values their fields may take. */
public interface IFinitization {
    Class<?> getFinClass();

    IClassDomain createClassDomain(String className, int count);

    IClassDomain createClassDomain(String className);

    IClassDomain createClassDomain(Class<?> type, int count);

    IClassDomain createClassDomain(Class<?> type);

    IIntSet createIntSet(int min, int step, int max);

    IIntSet createIntSet(int min, int max);

    IIntSet createIntSet(int value);

    IBooleanSet createBooleanSet();

    IByteSet createByteSet(byte min, byte step, byte max);

    IByteSet createByteSet(byte min, byte max);

    IByteSet createByteSet(byte value);

    IShortSet createShortSet(short min, short step, short max);

    IShortSet createShortSet(short min, short max);

    IShortSet createShortSet(short value);

    ILongSet createLongSet(long min, long step, long max);

    ILongSet createLongSet(long min, long max);

    ILongSet createLongSet(long value);

    IDoubleSet createDoubleSet(double min, double step, double max);

    IDoubleSet createDoubleSet(double min, double max);

    IDoubleSet createDoubleSet(double value);

    IFloatSet createFloatSet(float min, float step, float max);

    IFloatSet createFloatSet(float min, float max);

    IFloatSet createFloatSet(float value);

    IObjSet createObjSet(Class<?> fieldType, boolean nullAllowed);

    IObjSet createObjSet(Class<?> fieldType, int count, boolean nullAllowed);

    IObjSet createObjSet(Class<?> fieldType);

    IObjSet createObjSet(Class<?> fieldType, int count);

    IObjSet createObjSet(String fieldTypeName, boolean nullAllowed);

    IObjSet createObjSet(String fieldTypeName, int count, boolean nullAllowed);

    IObjSet createObjSet(String fieldTypeName);

    IObjSet createObjSet(String fieldTypeName, int count);

    IFieldDomain createObjSet(IClassDomain domain);

    IFieldDomain createObjSet(IClassDomain domain, boolean nullAllowed);

    IArraySet createArraySet(Class<?> type, IIntSet lengths, IFieldDomain components, int count);

    void set(String fieldName, IFieldDomain domain);

    void set(String className, String fieldName, IFieldDomain domain);

    void set(Class<?> type, String fieldName, IFieldDomain domain);

    IClassDomain getClassDomain(String className);

    IClassDomain getClassDomain(Class<?> type);

    IFieldDomain getFieldDomain(Class<?> type, String fieldName);

    IFieldDomain getFieldDomain(String className, String fieldName);

    IFieldDomain getFieldDomain(String fieldName);

    void addAll(String fieldName, IObjSet objects);

    void addAll(String className, String fieldName, IObjSet objects);

    void addAll(Class<?> type, String fieldName, IObjSet objects);

    boolean includeFinitization(IFinitization other);

    IFinitization getIncludedFinitization(Class<?> root);

    void handleArraysAsObjects(boolean asObjects);

    boolean areArraysHandledAsObjects();
}
