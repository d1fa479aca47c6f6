package gov.nasa.jpf.jvm;

/** Name of {@link gov.nasa.jpf.vm.Verify} in older releases of JPF. */
public class Verify extends gov.nasa.jpf.vm.Verify {
}
