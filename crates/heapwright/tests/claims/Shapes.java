package claims;

/** Shapes, one of which cannot be made here: what only it reaches is not proved to be out of reach. */
public class Shapes {
    public interface Shape {}

    static class Drawn implements Shape {
        static {
            System.loadLibrary("drawing");
        }
    }

    static class Plain implements Shape {}

    public static int kind(Shape shape) {
        if (shape instanceof Drawn) {
            return 1;
        }
        return shape instanceof Plain ? 2 : 0;
    }
}
