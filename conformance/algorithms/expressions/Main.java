package algorithms.expressions;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;

/** A recursive descent parser, an evaluator, a printer and a small stack machine. */
public class Main {
    interface Node {
        double value(Map<String, Double> variables);
    }

    static class ParseError extends RuntimeException {
        ParseError(String what, int position) {
            super(what + " at " + position);
        }
    }

    private final String text;
    private int at;

    Main(String text) {
        this.text = text;
    }

    private char peek() {
        while (at < text.length() && text.charAt(at) == ' ') at++;
        return at < text.length() ? text.charAt(at) : '\0';
    }

    private boolean accept(char c) {
        if (peek() != c) return false;
        at++;
        return true;
    }

    Node parse() {
        Node n = sum();
        if (peek() != '\0') throw new ParseError("unexpected '" + peek() + "'", at);
        return n;
    }

    private Node sum() {
        Node l = product();
        while (true) {
            Node left = l;
            if (accept('+')) {
                Node r = product();
                l = v -> left.value(v) + r.value(v);
            } else if (accept('-')) {
                Node r = product();
                l = v -> left.value(v) - r.value(v);
            } else {
                return l;
            }
        }
    }

    private Node product() {
        Node l = power();
        for (char c = peek(); c == '*' || c == '/' || c == '%'; c = peek()) {
            at++;
            Node left = l, r = power();
            switch (c) {
                case '*' -> l = v -> left.value(v) * r.value(v);
                case '/' -> l = v -> left.value(v) / r.value(v);
                default -> l = v -> left.value(v) % r.value(v);
            }
        }
        return l;
    }

    private Node power() {
        Node base = atom();
        if (!accept('^')) return base;
        Node exponent = power();
        return v -> Math.pow(base.value(v), exponent.value(v));
    }

    private Node atom() {
        if (accept('-')) {
            Node n = atom();
            return v -> -n.value(v);
        }
        if (accept('(')) {
            Node n = sum();
            if (!accept(')')) throw new ParseError("')' missing", at);
            return n;
        }
        int start = at;
        if (Character.isDigit(peek())) {
            start = at;
            while (at < text.length() && (Character.isDigit(text.charAt(at)) || text.charAt(at) == '.')) at++;
            double d = Double.parseDouble(text.substring(start, at));
            return v -> d;
        }
        if (Character.isLetter(peek())) {
            start = at;
            while (at < text.length() && Character.isLetterOrDigit(text.charAt(at))) at++;
            String name = text.substring(start, at);
            return v -> {
                Double d = v.get(name);
                if (d == null) throw new IllegalStateException("unknown " + name);
                return d;
            };
        }
        throw new ParseError("operand missing", at);
    }

    static int postfix(String program) {
        Deque<Integer> stack = new ArrayDeque<>();
        for (String word : program.split("\\s+")) {
            switch (word) {
                case "+" -> stack.push(stack.pop() + stack.pop());
                case "*" -> stack.push(stack.pop() * stack.pop());
                case "dup" -> stack.push(stack.peek());
                case "swap" -> {
                    int a = stack.pop(), b = stack.pop();
                    stack.push(a);
                    stack.push(b);
                }
                case "-" -> {
                    int a = stack.pop();
                    stack.push(stack.pop() - a);
                }
                default -> stack.push(Integer.valueOf(word));
            }
        }
        return stack.pop();
    }

    public static void main(String[] args) {
        Map<String, Double> variables = new HashMap<>();
        variables.put("x", 4.0);
        variables.put("rate1", 0.5);
        String[] all = {"1 + 2 * 3", "(1+2)*3", "2^3^2", "-x^2", "10 / 4 - 1.5", "x*rate1 + -(3 - 5)", "7 % 4 / 0", "((x))",
            "1 +", "(1", "1 2", "y + 1", "3 $ 4", "", "1.2.3"};
        for (String s : all) {
            try {
                System.out.println(s + " = " + new Main(s).parse().value(variables));
            } catch (ParseError | IllegalStateException | NumberFormatException e) {
                System.out.println(s + ": " + e.getClass().getSimpleName() + " " + e.getMessage());
            }
        }
        System.out.println(postfix("3 4 + dup * 9 swap -") + " " + postfix("42"));
        try {
            postfix("1 +");
        } catch (java.util.NoSuchElementException e) {
            System.out.println("stack empty");
        }
    }
}
