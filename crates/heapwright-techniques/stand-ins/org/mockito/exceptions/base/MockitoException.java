package org.mockito.exceptions.base;

public class MockitoException extends RuntimeException {
    public MockitoException(String message) {}

    public MockitoException(String message, Throwable cause) {}
}
