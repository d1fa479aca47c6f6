package claims;

/** Private static fields that the code of the class only reads, or does not; see `Statics`. */
public class Tables {
    private static int never = 3;
    private static int set = 3;
    private static final int[] TABLE = {1, 2, 3};
    private static final int[][] GRID = {{1}, {2, 3}};
    private static final int[][] ROWS = {{1}};
    private static final int[] SHARED = {1};
    private static final int[][] OF_SHARED = {SHARED};
    static int[] open;
    private static final int[] ALSO = open = new int[1];
    private static final int[] FILLED = new int[2];

    static {
        for (int place = 0; place < FILLED.length; place++) {
            FILLED[place] = place + 1;
        }
    }

    public static int assignedNowhere() { if (never != 3) return 1; return 0; } // proved
    public static int assigned() { if (set != 3) return 1; set++; return 0; } // claims.Tables.set
    public static int table() { int[] table = TABLE; if (table[0] + TABLE[2] + table.length != 7) return 1; return 0; } // proved
    public static int grid() { if (GRID[1][1] + GRID[0].length != 4) return 1; return 0; } // proved
    public static int filled() { if (FILLED[1] != 2) return 1; return 0; } // proved
    public static int row() { int[] row = ROWS[0]; if (row[0] != 1) return 1; row[0] = 2; return 0; } // claims.Tables.ROWS

    public static int shared() { if (OF_SHARED[0][0] != 1) return 1; SHARED[0] = 2; return 0; } // claims.Tables.OF_SHARED
    public static int also() { if (ALSO[0] != 0) return 1; open[0] = 2; return 0; } // claims.Tables.ALSO

    /** Calls each method twice and prints what the second call returns. */
    static class Print {
        public static void main(String[] names) throws ReflectiveOperationException {
            for (String name : names) {
                var method = Tables.class.getDeclaredMethod(name);
                method.invoke(null);
                System.out.println(name + " " + method.invoke(null));
            }
        }
    }
}
