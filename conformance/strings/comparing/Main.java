package strings.comparing;

import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeMap;

/** Words counted, sorted without case, reversed, made into anagrams and ciphers. */
public final class Main {
    private static String caesar(String s, int k) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) {
            b.append(Character.isUpperCase(c) ? (char) ('A' + Math.floorMod(c - 'A' + k, 26)) : Character.isLowerCase(c) ? (char) ('a' + Math.floorMod(c - 'a' + k, 26)) : c);
        }
        return b.toString();
    }

    private static String squeeze(String s) {
        StringBuilder b = new StringBuilder();
        for (int i = 0, j; i < s.length(); i = j) {
            for (j = i; j < s.length() && s.charAt(j) == s.charAt(i); j++) {
            }
            b.append(s.charAt(i)).append(j - i > 1 ? "" + (j - i) : "");
        }
        return b.toString();
    }

    public static void main(String[] args) {
        String text = "The quick brown fox jumps over the lazy dog; the DOG sleeps, God knows why";
        TreeMap<String, Integer> counts = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (String w : text.split("\\W+")) {
            counts.merge(w, 1, Integer::sum);
        }
        System.out.println(counts);
        TreeMap<String, String> anagrams = new TreeMap<>();
        for (String w : text.toLowerCase().split("[^a-z]+")) {
            char[] c = w.toCharArray();
            Arrays.sort(c);
            anagrams.merge(new String(c), w, (a, b) -> a.contains(b) ? a : a + "/" + b);
        }
        System.out.println(anagrams);
        String[] words = text.split(" ");
        Arrays.sort(words, Comparator.comparing(String::length).thenComparing(String.CASE_INSENSITIVE_ORDER).thenComparing(Comparator.naturalOrder()));
        System.out.println(String.join(" ", words));
        System.out.println(caesar(text, 3) + "|" + caesar(caesar(text, -29), 29).equals(text) + "|" + squeeze("aaabccddddde") + squeeze(""));
        StringBuilder title = new StringBuilder();
        for (String w : text.split(" ")) {
            title.append(Character.toUpperCase(w.charAt(0))).append(new StringBuilder(w.substring(1)).reverse()).append(' ');
        }
        System.out.println(title.toString().trim());
        System.out.println(text.codePoints().filter(Character::isUpperCase).mapToObj(Character::toString).reduce("", String::concat) + " " + text.hashCode() + " " + text.indexOf("the") + " " + text.toUpperCase().lastIndexOf("THE"));
    }
}
