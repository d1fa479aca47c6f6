package org.mockito;

public class Mockito {
    public static native MockitoFramework framework();
}
