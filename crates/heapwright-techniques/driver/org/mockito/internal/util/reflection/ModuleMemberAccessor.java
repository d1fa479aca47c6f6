package org.mockito.internal.util.reflection;

/** Access to members by reflection, where Mockito would ask an agent for access to modules. */
public final class ModuleMemberAccessor extends ReflectionMemberAccessor {}
