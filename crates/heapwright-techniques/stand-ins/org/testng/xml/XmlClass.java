package org.testng.xml;

import java.util.List;

/** As in TestNG, as far as the driver uses it. */
public class XmlClass {
    public XmlClass(Class<?> type) {}

    public native void setIncludedMethods(List<XmlInclude> methods);

    public native void setExcludedMethods(List<String> methods);
}
