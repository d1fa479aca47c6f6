/** Code that only looks infeasible, and code that is. */
public class Edges {
    static int turns = 2;
    java.util.LinkedHashMap<String, String> entries;

    static int isBehindLoop(int n) {
        int i = 0;
        while (i < 5) {
            i++;
        }
        if (n > 100) {
            return 1;
        }
        return 0;
    }

    static int isLoopsResult(int n) {
        int i = 0;
        while (i < n) {
            i++;
        }
        return i == 7 ? 1 : 0;
    }

    static int isLong(int[] all) {
        return all.length > 5 ? 1 : 0;
    }

    static int isTurned() {
        return turns == 3 ? 1 : 0;
    }

    String cached(String key) {
        String known = entries.get(key);
        if (known != null) {
            return known;
        }
        return "none";
    }

    static int never(int n) {
        return n > 5 && n < 3 ? 1 : 0;
    }
}
