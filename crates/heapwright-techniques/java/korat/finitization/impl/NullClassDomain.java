package korat.finitization.impl;

/** The class domain whose one value is null; adding it to a set allows null there. */
public class NullClassDomain extends ClassDomain {
    private static final NullClassDomain INSTANCE = new NullClassDomain();

    private NullClassDomain() {
        super(null, 1);
    }

    public static NullClassDomain getInstance() {
        return INSTANCE;
    }

    public String getClassNameOfObjects() {
        return "null";
    }

    public void addObject(Object object) {
        throw new IllegalArgumentException("nothing can be added to the class domain of null");
    }
}
