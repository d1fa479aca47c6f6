package claims;

/** Class whose initialiser reads the world; see `Worlds`. */
public class Begun {
    private static final long AT = System.currentTimeMillis();
    private static final int SIZE = 4;

    public static int reads() { if (AT > 0) return 0; return 1; } // the clock | -
    public static int later(long now) { long gone = now - AT; if (gone != gone) return 1; return 0; } // the clock | -
    public static int without(int x) { if (x != x || SIZE != 4) return 1; return 0; } // proved | -
}
