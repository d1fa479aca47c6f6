package claims;

/** Takes objects of types with subclasses, in another package or unknown. */
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

        final int width() {
            return 1;
        }
    }

    static final class Tile {
        int sides() {
            return 4;
        }
    }

    private static class Sheet {
        boolean canFold() {
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

    public static int sides(Tile tile) {
        return tile.sides() > 100 ? 1 : 0;
    }

    static int folds(Sheet sheet) {
        return sheet.canFold() ? 1 : 0;
    }

    static int made(int sides) {
        Line line = new Line();
        return line.isClosed() ? 1 : sides;
    }

    static int thick(Line line) {
        return line.width() < 0 ? 1 : 0;
    }

    static int surfaces(Line line) {
        return line instanceof Surface ? 1 : 0;
    }

    static int stored(Line[] lines) {
        boolean isOther = false;
        try {
            lines[0] = new Line();
        } catch (ArrayStoreException e) {
            isOther = true;
        }
        return isOther ? 1 : 0;
    }

    public static int words(Object[] values) {
        return values instanceof String[] ? 1 : 0;
    }

    static int lines(Line[] lines) {
        return lines.getClass() == Line[].class ? 1 : 0;
    }
}
