package control.switchlimits;

/** Switches over the corners of int, sparse and dense, with gaps, and over boxes and chars. */
public final class Main {
    private static String corner(int x) {
        switch (x) {
            case Integer.MIN_VALUE: return "min";
            case Integer.MIN_VALUE + 1: return "min+1";
            case -1: return "-1";
            case 0: return "0";
            case 1: return "1";
            case Integer.MAX_VALUE - 1: return "max-1";
            case Integer.MAX_VALUE: return "max";
            default: return "other";
        }
    }

    private static int top(int x) {
        switch (x) {
            case Integer.MAX_VALUE - 3: return 3;
            case Integer.MAX_VALUE - 2: return 2;
            case Integer.MAX_VALUE - 1: return 1;
            case Integer.MAX_VALUE: return 0;
        }
        return -1;
    }

    private static int bottom(int x) {
        return switch (x) {
            case Integer.MIN_VALUE -> 0;
            case Integer.MIN_VALUE + 1 -> 1;
            case Integer.MIN_VALUE + 2 -> 2;
            case Integer.MIN_VALUE + 4 -> 4;
            default -> -1;
        };
    }

    private static int through(int x) {
        int r = 0;
        switch (x) {
            default: r += 1000;
            case 1: r += 1;
            case 2: r += 10; break;
            case 4: r += 100;
            case 3:
        }
        return r;
    }

    private static String boxed(Integer x) {
        switch (x) {
            case 1: return "one";
            case 1000: return "thousand";
            default: return "many";
        }
    }

    private static char vowel(char c) {
        return switch (Character.toLowerCase(c)) {
            case 'a', 'e', 'i', 'o', 'u' -> '*';
            case '\uffff' -> '!';
            case '\u0000' -> '0';
            default -> c;
        };
    }

    private static int bytes(byte b) {
        switch (b) {
            case -128: return 1;
            case 127: return 2;
            case 0: return 3;
            default: return 4;
        }
    }

    public static void main(String[] args) {
        int[] xs = {Integer.MIN_VALUE, Integer.MIN_VALUE + 1, Integer.MIN_VALUE + 2, Integer.MIN_VALUE + 3, Integer.MIN_VALUE + 4,
            -2, -1, 0, 1, 2, 3, 4, 5, Integer.MAX_VALUE - 4, Integer.MAX_VALUE - 3, Integer.MAX_VALUE - 2, Integer.MAX_VALUE - 1, Integer.MAX_VALUE};
        for (int x : xs) {
            System.out.println(corner(x) + " " + top(x) + " " + bottom(x) + " " + through(x));
        }
        System.out.println(boxed(1) + boxed(1000) + boxed(-5));
        System.out.println(vowel('A') + "" + vowel('x') + vowel('\uffff') + vowel('\0') + vowel('u'));
        System.out.println(bytes((byte) 128) + " " + bytes((byte) -129) + " " + bytes((byte) 256) + " " + bytes((byte) 5));
    }
}
