package exceptions.helpfulmore;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** More null dereferences: arrays in arrays, long chains, casts, loops, boxes, library code. */
public class Main {
    Main[] row;
    Main[][] table;
    Object any;
    long[] longs;
    double[] reals;
    int index;
    String text;
    static Main[] all = new Main[3];
    static int at;

    interface Action { void run() throws Exception; }

    static void show(Action action) {
        try {
            action.run();
            System.out.println("nothing");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        } catch (Exception e) {
            System.out.println(e);
        }
    }

    Main self(int a, String b, Object[] c, StringBuilder d, long e) { return null; }

    static Main make(double d, Main... more) { return null; }

    private void reads(int i, long l, Main other) {
        show(() -> System.out.println(row[i]));
        try {
            System.out.println(table[i][index].row.length);
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            other.row[at] = this;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        other = null;
        try {
            other.longs[i] = l;
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
    }

    public static void main(String[] args) {
        Main m = new Main();
        m.reads(1, 2L, new Main());
        m.table = new Main[2][2];
        m.reads(1, 2L, m);
        show(() -> all[at + 1].index = 4);
        show(() -> all[2].text.trim());
        show(() -> all[at].self(1, null, null, null, 2L));
        show(() -> m.self(1, null, null, null, 2L).self(1, null, null, null, 2L));
        show(() -> make(1.5, m, null).any.hashCode());
        show(() -> ((Main) m.any).index++);
        show(() -> ((String) m.any).length());
        show(() -> m.reals[m.index] += 1);
        show(() -> m.longs[m.index]++);
        show(() -> { for (Main x : m.row) System.out.println(x); });
        show(() -> { for (Object x : (List<?>) m.any) System.out.println(x); });
        show(() -> System.out.println(switch (m.text) { case "a" -> 1; default -> 2; }));
        show(() -> { int x = (Integer) m.any; });
        show(() -> { long y = Map.of("a", 1L).get("b"); });
        show(() -> { throw (Exception) m.any; });
        show(() -> { synchronized (m.any) { at++; } });
        show(() -> { Main n = at < 5 ? null : m; n.index = 3; });
        show(() -> { (at < 5 ? m.row[0] : m).index = 3; });
        show(() -> { Main n = m; for (int i = 0; i < 3; i++) n = n.row == null ? null : n.row[i]; });
        show(() -> new ArrayList<>((List<?>) m.any));
        show(() -> System.arraycopy(m.row, 0, m.row, 0, 1));
        show(() -> String.valueOf((char[]) m.any));
        show(() -> "a".compareTo(m.text));
        show(() -> new StringBuilder().append(m.text).append((CharSequence) null, 0, 2).append(m.text.isEmpty()));
        show(() -> m.getClass().getMethod("notify").invoke(null));
        show(() -> Class.forName(m.text));
        show(() -> List.of(m.text));
        show(() -> { boolean[] b = (boolean[]) m.any; b[0] = true; });
        show(() -> { byte[][] b = new byte[2][]; b[1][at] = 3; });
        show(() -> { char[][] c = new char[2][]; System.out.println(c[0][1]); });
        show(() -> { float[] f = null; f[1] = 2; });
        show(() -> { short[][][] s = new short[1][1][]; System.out.println(s[0][0][0]); });
        show(() -> { Object[] o = null; System.out.println(o.length); });
    }
}
