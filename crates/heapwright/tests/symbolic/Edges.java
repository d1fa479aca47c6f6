/** What lies at the edge of bounds on inputs, or past it. */
public class Edges {
    Edges next;
    java.util.Map<String, Integer> table;

    static boolean isLong(String text) {
        return text.length() > 3;
    }

    static boolean isShort(String text) {
        return text.length() < 3;
    }

    static boolean isWord(String text) {
        return "abcdef".equals(text);
    }

    static int fifth(int[] all) {
        return all.length > 0 && all[0] == 3 ? all[4] : 0;
    }

    static int twice(int[] all) {
        return all.length == 2 ? all[1] * 2 : 0;
    }

    static int switched(byte[] all) {
        switch (all.length) {
            case 2: return 1;
            case 9: return 2;
            default: return 3;
        }
    }

    boolean isDeep() {
        Edges third = next == null || next.next == null ? null : next.next.next;
        return third != null && third != next.next && third != next && third != this;
    }

    int size() {
        return table == null ? 0 : table.size();
    }
}
