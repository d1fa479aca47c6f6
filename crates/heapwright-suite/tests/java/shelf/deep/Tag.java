package shelf.deep;

/** Of a package below that of the tests. */
public class Tag {
    public Tag() {}
}
