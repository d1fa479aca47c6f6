package patterns.switched;

/** Old and new switches over ints, chars, strings and enums. */
public class Main {
    static String falls(int value) {
        String text = "";
        switch (value) {
            case 0:
                text += "zero";
            case 1:
                text += "one";
                break;
            case 3:
                text += "three";
            default:
                text += "rest";
            case 4:
                text += "four";
        }
        return text;
    }

    static int arrow(int value) {
        return switch (value) {
            case 1, 2 -> 10;
            case 3 -> {
                int sum = 0;
                for (int step = 0; step < value; step++) {
                    sum += step;
                }
                yield sum;
            }
            default -> -1;
        };
    }

    static int word(String text) {
        return switch (text) {
            case "Aa" -> 1;
            case "BB" -> 2;
            case "" -> 3;
            case "C", "D" -> 4;
            default -> text.length();
        };
    }

    static String sparse(int value) {
        return switch (value) {
            case Integer.MIN_VALUE -> "least ";
            case 1_000_000 -> "million ";
            case -5, 5 -> "five";
            default -> "none";
        };
    }

    public static void main(String[] args) {
        for (int value = 0; value < 6; value++) {
            System.out.print(falls(value) + " " + arrow(value) + " ");
        }
        System.out.println();
        for (String text : new String[] {"Aa", "BB", "C", "", "other"}) {
            System.out.print(word(text) + " ");
        }
        System.out.println();
        for (char letter : "aeioxyz".toCharArray()) {
            switch (letter) {
                case 'a', 'e', 'i', 'o', 'u' -> System.out.print("vowel ");
                case 'y' -> {
                    System.out.print("maybe ");
                }
                default -> System.out.print("consonant ");
            }
        }
        System.out.println();
        outer:
        for (int round = 0;; round++) {
            switch (round) {
                case 1:
                    continue outer;
                case 3:
                    break outer;
                default:
                    System.out.print("round" + round + " ");
            }
        }
        System.out.println(sparse(Integer.MIN_VALUE) + sparse(1_000_000) + sparse(5));
        try {
            word(null);
        } catch (NullPointerException thrown) {
            System.out.println("null");
        }
        Integer boxed = 3;
        System.out.println(switch (boxed) {
            case 3 -> {
                int twice = boxed * 2;
                yield "yielded " + twice;
            }
            default -> throw new IllegalStateException();
        });
    }
}
