package org.testng;

/** As in TestNG, as far as the driver uses it. */
public interface ITestNGMethod {
    String getMethodName();
}
