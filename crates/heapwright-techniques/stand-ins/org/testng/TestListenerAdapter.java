package org.testng;

/** As in TestNG, as far as the driver uses it. */
public class TestListenerAdapter {
    public native void onTestStart(ITestResult result);

    public native void onTestSuccess(ITestResult result);

    public native void onTestFailure(ITestResult result);

    public native void onTestFailedWithTimeout(ITestResult result);

    public native void onTestSkipped(ITestResult result);

    public native void onTestFailedButWithinSuccessPercentage(ITestResult result);

    public native void onConfigurationFailure(ITestResult result);
}
