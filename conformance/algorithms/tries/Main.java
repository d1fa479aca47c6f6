package algorithms.tries;

import java.util.Map;
import java.util.TreeMap;

/** A trie with insertion, removal, prefixes and wildcards. */
public final class Main {
    private final Map<Character, Main> next = new TreeMap<>();
    private boolean end;

    private void add(String s) {
        Main n = this;
        for (char c : s.toCharArray()) {
            n = n.next.computeIfAbsent(c, k -> new Main());
        }
        n.end = true;
    }

    private boolean remove(String s) {
        if (s.isEmpty()) {
            boolean was = end;
            end = false;
            return was;
        }
        Main n = next.get(s.charAt(0));
        boolean was = n != null && n.remove(s.substring(1));
        if (was && !n.end && n.next.isEmpty()) {
            next.remove(s.charAt(0));
        }
        return was;
    }

    private boolean matches(String p) {
        if (p.isEmpty()) {
            return end;
        }
        if (p.charAt(0) == '?') {
            return next.values().stream().anyMatch(n -> n.matches(p.substring(1)));
        }
        if (p.charAt(0) == '*') {
            return matches(p.substring(1)) || next.values().stream().anyMatch(n -> n.matches(p));
        }
        Main n = next.get(p.charAt(0));
        return n != null && n.matches(p.substring(1));
    }

    private void print(String prefix, StringBuilder out) {
        if (end) {
            out.append(prefix).append(' ');
        }
        next.forEach((c, n) -> n.print(prefix + c, out));
    }

    @Override
    public String toString() {
        StringBuilder b = new StringBuilder();
        print("", b);
        return b.toString();
    }

    public static void main(String[] args) {
        Main t = new Main();
        for (String s : "tea ten to team in inn a tent".split(" ")) {
            t.add(s);
        }
        System.out.println(t);
        System.out.println(t.remove("ten") + " " + t.remove("te") + " " + t.remove("tent") + " " + t.remove("zzz"));
        System.out.println(t);
        for (String p : new String[] {"t?", "t*", "*n", "i?n", "????", "*", "", "*a*m"}) {
            System.out.println(p + " " + t.matches(p));
        }
    }
}
