package org.heapwright.launcher;

import java.util.regex.Pattern;

/**
 * Pattern of class names as PIT has it: {@code *} stands for any characters, dots among them, and
 * {@code ?} for one. So {@code com.acme.*} are all classes of the package and of those below it.
 */
final class ClassPattern {
    private final String text;
    private final Pattern pattern;

    ClassPattern(String text) {
        this.text = text.strip();
        StringBuilder expression = new StringBuilder();
        for (char c : this.text.toCharArray()) {
            switch (c) {
                case '*' -> expression.append(".*");
                case '?' -> expression.append('.');
                default -> expression.append(Pattern.quote(String.valueOf(c)));
            }
        }
        pattern = Pattern.compile(expression.toString());
    }

    /** Whether a binary name fits. */
    boolean fits(String name) {
        return pattern.matcher(name).matches();
    }

    /** Whether the pattern is about classes in classes. */
    boolean isOfMembers() {
        return text.indexOf('$') >= 0;
    }

    @Override
    public String toString() {
        return text;
    }
}
