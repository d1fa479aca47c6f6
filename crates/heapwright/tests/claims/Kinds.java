package claims;

import java.util.List;
import java.util.Map;

/** Questions about the type of an input, and enums behind interfaces. */
public class Kinds {
    interface Kind {}

    static final class Known implements Kind {}

    enum Word implements Marked {
        A,
        B
    }

    interface Marked {}

    static final List<int[]> ROWS = List.of(new int[] {3});
    static final Map<String, int[]> NAMED = Map.of("a", new int[] {1});
    static final java.util.Iterator<String> PLACE = List.of("a").iterator();

    static int other(Kind kind) {
        return kind != null && !(kind instanceof Known) ? 1 : 0;
    }

    static int cast(Kind kind) {
        try {
            Known known = (Known) kind;
            return known == null ? 2 : 0;
        } catch (ClassCastException e) {
            return kind == null ? 3 : 1;
        }
    }

    static int word(Marked marked) {
        return marked == Word.A ? 1 : 0;
    }

    static int rows() {
        return ROWS.get(0)[0] == 9 ? 1 : 0;
    }

    static int named() {
        return NAMED.get("a")[0] == 9 ? 1 : 0;
    }

    static int place() {
        return PLACE.hasNext() ? 0 : 1;
    }
}
