package org.eclipse.aether.repository;

public final class RemoteRepository {
}
