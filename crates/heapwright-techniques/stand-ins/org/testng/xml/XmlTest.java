package org.testng.xml;

import java.util.List;

/** As in TestNG, as far as the driver uses it. */
public class XmlTest {
    public XmlTest(XmlSuite suite) {}

    public native void setXmlClasses(List<XmlClass> classes);
}
