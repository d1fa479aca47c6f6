package org.testng.xml;

/** As in TestNG, as far as the driver uses it. */
public class XmlInclude {
    public XmlInclude(String name) {}
}
