package org.eclipse.aether.resolution;

public class ArtifactResolutionException extends Exception {
}
