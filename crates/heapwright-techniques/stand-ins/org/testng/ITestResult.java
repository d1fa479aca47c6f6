package org.testng;

/** As in TestNG, as far as the driver uses it. */
public interface ITestResult {
    IClass getTestClass();

    ITestNGMethod getMethod();

    Object[] getParameters();

    Throwable getThrowable();
}
