package org.mockito.internal.util.reflection;

public class ReflectionMemberAccessor {}
