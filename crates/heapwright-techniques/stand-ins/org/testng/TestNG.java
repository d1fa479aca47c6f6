package org.testng;

import java.util.List;
import org.testng.xml.XmlSuite;

/** As in TestNG, as far as the driver uses it. */
public class TestNG {
    public TestNG(boolean useDefaultListeners) {}

    public native void setVerbose(int verbose);

    public native void setTestClasses(Class<?>[] classes);

    public native void setXmlSuites(List<XmlSuite> suites);

    public native void run();
}
