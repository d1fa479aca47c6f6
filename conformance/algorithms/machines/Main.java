package algorithms.machines;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A small stack machine with labels and calls, run on programs given as text. */
public final class Main {
    private static String run(String source) {
        List<String[]> code = new ArrayList<>();
        Map<String, Integer> labels = new HashMap<>();
        for (String line : source.split(";")) {
            String t = line.trim();
            if (t.endsWith(":")) {
                labels.put(t.substring(0, t.length() - 1), code.size());
            } else {
                code.add(t.split(" "));
            }
        }
        Deque<Long> stack = new ArrayDeque<>();
        Deque<Integer> calls = new ArrayDeque<>();
        Map<String, Long> vars = new HashMap<>();
        StringBuilder out = new StringBuilder();
        int steps = 0;
        for (int pc = 0; pc < code.size() && steps < 10000; steps++) {
            String[] op = code.get(pc++);
            switch (op[0]) {
                case "push" -> stack.push(Long.parseLong(op[1]));
                case "load" -> stack.push(vars.getOrDefault(op[1], 0L));
                case "store" -> vars.put(op[1], stack.pop());
                case "add", "sub", "mul", "div", "lt" -> {
                    long b = stack.pop();
                    long a = stack.pop();
                    stack.push(switch (op[0]) {
                        case "add" -> a + b;
                        case "sub" -> a - b;
                        case "mul" -> a * b;
                        case "div" -> a / b;
                        default -> a < b ? 1L : 0L;
                    });
                }
                case "dup" -> stack.push(stack.peek());
                case "jump" -> pc = labels.get(op[1]);
                case "zero" -> pc = stack.pop() == 0 ? labels.get(op[1]) : pc;
                case "call" -> {
                    calls.push(pc);
                    pc = labels.get(op[1]);
                }
                case "ret" -> pc = calls.pop();
                case "print" -> out.append(stack.pop()).append(' ');
                case "halt" -> pc = code.size();
                default -> throw new IllegalArgumentException("no such operation: " + op[0]);
            }
        }
        return out + "in " + steps;
    }

    public static void main(String[] args) {
        System.out.println(run("push 1;store r;push 10;store n;loop:;load n;zero end;load r;load n;mul;store r;load n;push 1;sub;store n;jump loop;end:;load r;print"));
        System.out.println(run("push 0;store a;push 1;store b;push 15;store n;l:;load a;print;load a;load b;dup;store a;add;store b;load n;push 1;sub;dup;store n;zero e;jump l;e:;halt"));
        System.out.println(run("push 7;call sq;call sq;print;halt;sq:;dup;mul;ret"));
        System.out.println(run("l:;jump l"));
        for (String bad : new String[] {"pop", "push x", "add", "push 1;push 0;div", "jump nowhere"}) {
            try {
                System.out.println(run(bad));
            } catch (RuntimeException e) {
                System.out.println(bad + " " + e.getClass().getSimpleName());
            }
        }
    }
}
