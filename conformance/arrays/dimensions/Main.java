package arrays.dimensions;

/** Arrays of arrays: multianewarray, partial and ragged ones, and their class names. */
public class Main {
    static int count(Object[] a) {
        int n = 0;
        for (Object o : a) {
            n += o instanceof Object[] inner ? count(inner) : o == null ? 0 : 1;
        }
        return n;
    }

    public static void main(String[] args) {
        int[][] grid = new int[3][4];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 4; j++) {
                grid[i][j] = i * j;
            }
        }
        System.out.println(grid[2][3] + " " + grid.length + " " + grid[0].length);
        long[][][] cube = new long[2][3][];
        System.out.println(cube[1][2] + " " + cube[1].length);
        cube[1][2] = new long[] {5, 6};
        cube[1][2][1] += 10;
        System.out.println(cube[1][2][1]++ + " " + cube[1][2][1]);
        String[][] ragged = {{"a"}, {}, {"b", "c"}, null};
        for (String[] row : ragged) {
            System.out.println(row == null ? "null" : row.length + "");
        }
        System.out.println(count(ragged) + " " + count(new Object[][] {{1, null}, {2}}));
        double[][][][] deep = new double[2][2][2][2];
        deep[1][1][1][1] = 4;
        System.out.println(deep[1][1][1][1] + deep[0][1][0][1]);
        System.out.println(deep.getClass().getName() + " " + ragged.getClass().getName() + " " + cube[0].getClass());
        System.out.println(deep[0] == deep[1]);
        int[] mixed[] = new int[2][], flat = {1};
        mixed[0] = flat;
        System.out.println(mixed[0][0] + " " + mixed.length);
        System.out.println(new int[0][5].length + " " + new int[5][0][4].length);
        try {
            int[][] bad = new int[2][-1];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            int[][] bad = new int[-3][-1];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        try {
            int[][] bad = new int[0][-7];
        } catch (NegativeArraySizeException e) {
            System.out.println(e.getMessage());
        }
        Object o = grid;
        System.out.println((o instanceof Object[]) + " " + (o instanceof int[][]) + " " + (o instanceof Object[][])
                + " " + (o instanceof Cloneable) + " " + (o instanceof java.io.Serializable));
        int[][] shallow = grid.clone();
        shallow[1][1] = 99;
        shallow[2] = null;
        System.out.println(grid[1][1] + " " + (grid[2] == null));
    }
}
