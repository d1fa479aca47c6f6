package algorithms.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Reading and writing JSON by recursive descent. */
public final class Main {
    private final String s;
    private int i;

    private Main(String s) {
        this.s = s;
    }

    private char peek() {
        while (i < s.length() && Character.isWhitespace(s.charAt(i))) {
            i++;
        }
        return i < s.length() ? s.charAt(i) : '\0';
    }

    private void expect(char c) {
        if (peek() != c) {
            throw new IllegalArgumentException("expected " + c + " at " + i);
        }
        i++;
    }

    private Object value() {
        switch (peek()) {
            case '{': {
                Map<String, Object> m = new LinkedHashMap<>();
                i++;
                while (peek() != '}') {
                    String k = text();
                    expect(':');
                    m.put(k, value());
                    if (peek() != '}') {
                        expect(',');
                    }
                }
                i++;
                return m;
            }
            case '[': {
                List<Object> l = new ArrayList<>();
                i++;
                while (peek() != ']') {
                    l.add(value());
                    if (peek() != ']') {
                        expect(',');
                    }
                }
                i++;
                return l;
            }
            case '"':
                return text();
            default:
                int from = i;
                while (i < s.length() && "+-.eE".indexOf(s.charAt(i)) >= 0 || i < s.length() && Character.isLetterOrDigit(s.charAt(i))) {
                    i++;
                }
                String t = s.substring(from, i);
                return switch (t) {
                    case "true" -> true;
                    case "false" -> false;
                    case "null" -> null;
                    default -> t.matches("-?\\d+") ? (Object) Long.valueOf(t) : (Object) Double.valueOf(t);
                };
        }
    }

    private String text() {
        expect('"');
        StringBuilder b = new StringBuilder();
        while (s.charAt(i) != '"') {
            char c = s.charAt(i++);
            if (c == '\\') {
                c = s.charAt(i++);
                c = c == 'n' ? '\n' : c == 't' ? '\t' : c;
                if (c == 'u') {
                    c = (char) Integer.parseInt(s.substring(i, i += 4), 16);
                }
            }
            b.append(c);
        }
        i++;
        return b.toString();
    }

    private static void write(Object o, StringBuilder b, String indent) {
        if (o instanceof Map<?, ?> m) {
            b.append("{");
            String sep = "";
            for (Map.Entry<?, ?> e : m.entrySet()) {
                b.append(sep).append('\n').append(indent).append("  ");
                write(e.getKey(), b, indent);
                write(e.getValue(), b.append(": "), indent + "  ");
                sep = ",";
            }
            b.append('\n').append(indent).append('}');
        } else if (o instanceof List<?> l) {
            b.append('[');
            for (int k = 0; k < l.size(); k++) {
                write(l.get(k), b.append(k > 0 ? ", " : ""), indent + "  ");
            }
            b.append(']');
        } else if (o instanceof String t) {
            b.append('"');
            for (char c : t.toCharArray()) {
                b.append(c == '"' || c == '\\' ? "\\" + c : c < ' ' || c > '~' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
            b.append('"');
        } else {
            b.append(o);
        }
    }

    public static void main(String[] args) {
        for (String t : new String[] {"{\"a\": [1, -2.5, 1e3, true, null], \"b\": {\"c\\u0041\\n\": \"q\\\"\\\\\\u00e9\"}, \"e\": {}, \"f\": [[],[0]]}", "[1 2]", "{\"a\" 1}", "nope", "12", "\"open"}) {
            try {
                StringBuilder b = new StringBuilder();
                write(new Main(t).value(), b, "");
                System.out.println(b);
            } catch (IllegalArgumentException | StringIndexOutOfBoundsException e) {
                System.out.println(e instanceof IllegalArgumentException ? "refused " + e.getMessage() : "ends early");
            }
        }
    }
}
