package control.tableswitch;

/** Dense switches: fall through, default in the middle, negative keys, edges of int. */
public class Main {
    static String dense(int i) {
        switch (i) {
            case -2: return "minus two";
            case -1: return "minus one";
            case 0: return "zero";
            default: return "other";
            case 1: return "one";
            case 3: return "three";
        }
    }

    static String fallThrough(int i) {
        StringBuilder sb = new StringBuilder();
        switch (i) {
            case 1: sb.append("a");
            case 2: sb.append("b");
            default: sb.append("d");
            case 3: sb.append("c"); break;
            case 4:
        }
        return sb.toString();
    }

    static int edges(int i) {
        return switch (i) {
            case Integer.MAX_VALUE - 1 -> 1;
            case Integer.MAX_VALUE -> 2;
            case Integer.MAX_VALUE - 2 -> 3;
            default -> 0;
        };
    }

    static String chars(char c) {
        return switch (c) {
            case 'a', 'e', 'i', 'o', 'u' -> "vowel";
            case 'y' -> {
                String half = "half";
                yield half + " vowel";
            }
            default -> "consonant";
        };
    }

    public static void main(String[] args) {
        for (int i = -4; i < 6; i++) {
            System.out.println(i + " " + dense(i) + " [" + fallThrough(i) + "]");
        }
        System.out.println(dense(Integer.MIN_VALUE) + dense(Integer.MAX_VALUE));
        for (int i = Integer.MAX_VALUE - 4; i > 0; i++) {
            System.out.println(edges(i));
        }
        System.out.println(edges(Integer.MIN_VALUE));
        for (char c = 'a'; c <= 'z'; c++) {
            System.out.print(chars(c) + (c % 5 == 0 ? "\n" : ", "));
        }
        System.out.println();
        byte b = 5;
        switch (b) {
        }
        switch (b + 1) {
            case 6 -> System.out.println("six");
            case 7 -> System.out.println("seven");
        }
    }
}
