package probe;

/** Neither made of a Box nor like one. */
public class Plain {
    public void other() {}
}
