package claims;

/** Takes objects of types with subclasses in another package. */
public class Figures {
    public static class Figure {
        public boolean isRound() {
            return false;
        }
    }

    static class Line {
        boolean isClosed() {
            return false;
        }
    }

    public interface Surface {
        int area();
    }

    public static int rounded(Figure figure) {
        return figure.isRound() ? 1 : 0;
    }

    static int closed(Line line) {
        return line.isClosed() ? 1 : 0;
    }

    public static int large(Surface surface) {
        return surface.area() > 100 ? 1 : 0;
    }

    public static int words(Object[] values) {
        return values instanceof String[] ? 1 : 0;
    }

    static int lines(Line[] lines) {
        return lines.getClass() == Line[].class ? 1 : 0;
    }
}
