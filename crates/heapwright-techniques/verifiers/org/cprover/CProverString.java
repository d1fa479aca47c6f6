package org.cprover;

import heapwright.verify.Inputs;

/**
 * Methods of strings that throw nothing. Positions outside of a string are moved to its ends; a character that is not
 * there and a number that cannot be read are any.
 */
public final class CProverString {
    private CProverString() {
    }

    private static boolean isIn(CharSequence text, int index) {
        return index >= 0 && index < text.length();
    }

    private static int within(int position, int least, int most) {
        return Math.max(least, Math.min(position, most));
    }

    public static int codePointAt(String instance, int index) {
        return isIn(instance, index) ? instance.codePointAt(index) : Inputs.nextInt(null);
    }

    public static int codePointBefore(String instance, int index) {
        return isIn(instance, index - 1) ? instance.codePointBefore(index) : Inputs.nextInt(null);
    }

    public static int codePointCount(String instance, int start, int end) {
        int from = within(start, 0, instance.length());
        return instance.codePointCount(from, within(end, from, instance.length()));
    }

    public static int offsetByCodePoints(String instance, int index, int codePointOffset) {
        int from = within(index, 0, instance.length());
        int before = -instance.codePointCount(0, from);
        int after = instance.codePointCount(from, instance.length());
        return instance.offsetByCodePoints(from, within(codePointOffset, before, after));
    }

    public static char charAt(String string, int index) {
        return isIn(string, index) ? string.charAt(index) : Inputs.nextChar(null);
    }

    public static char charAt(StringBuffer instance, int index) {
        return isIn(instance, index) ? instance.charAt(index) : Inputs.nextChar(null);
    }

    public static String substring(String string, int index) {
        return substring(string, index, string.length());
    }

    public static String substring(String string, int start, int end) {
        int from = within(start, 0, string.length());
        return string.substring(from, within(end, from, string.length()));
    }

    public static String substring(StringBuffer instance, int start, int end) {
        return substring(instance.toString(), start, end);
    }

    public static CharSequence subSequence(String instance, int start, int end) {
        return substring(instance, start, end);
    }

    public static StringBuilder append(StringBuilder instance, CharSequence cs, int start, int end) {
        return instance.append(substring(String.valueOf(cs), start, end));
    }

    public static StringBuilder delete(StringBuilder instance, int start, int end) {
        int from = within(start, 0, instance.length());
        return instance.delete(from, within(end, from, instance.length()));
    }

    public static StringBuffer delete(StringBuffer instance, int start, int end) {
        int from = within(start, 0, instance.length());
        return instance.delete(from, within(end, from, instance.length()));
    }

    public static StringBuilder deleteCharAt(StringBuilder instance, int index) {
        return isIn(instance, index) ? instance.deleteCharAt(index) : instance;
    }

    public static StringBuffer deleteCharAt(StringBuffer instance, int index) {
        return isIn(instance, index) ? instance.deleteCharAt(index) : instance;
    }

    /** Whether two strings are equal; two null references are, too. */
    public static boolean equals(String str1, String str2) {
        return str1 == null ? str2 == null : str1.equals(str2);
    }

    public static StringBuilder insert(StringBuilder instance, int offset, String str) {
        return instance.insert(within(offset, 0, instance.length()), str);
    }

    public static StringBuffer insert(StringBuffer instance, int offset, String str) {
        return instance.insert(within(offset, 0, instance.length()), str);
    }

    public static StringBuffer insert(StringBuffer instance, int offset, boolean boolVal) {
        return insert(instance, offset, String.valueOf(boolVal));
    }

    public static StringBuffer insert(StringBuffer instance, int offset, char character) {
        return insert(instance, offset, String.valueOf(character));
    }

    public static StringBuffer insert(StringBuffer instance, int offset, int intVal) {
        return insert(instance, offset, String.valueOf(intVal));
    }

    public static StringBuffer insert(StringBuffer instance, int offset, long longVal) {
        return insert(instance, offset, String.valueOf(longVal));
    }

    public static void setLength(StringBuffer instance, int newLength) {
        instance.setLength(Math.max(newLength, 0));
    }

    public static void setLength(StringBuilder instance, int newLength) {
        instance.setLength(Math.max(newLength, 0));
    }

    public static void setCharAt(StringBuffer instance, int index, char character) {
        if (isIn(instance, index)) {
            instance.setCharAt(index, character);
        }
    }

    public static void setCharAt(StringBuilder instance, int index, char character) {
        if (isIn(instance, index)) {
            instance.setCharAt(index, character);
        }
    }

    /** A string of some characters of an array; the path ends if they are not all there. */
    public static String ofCharArray(char[] value, int offset, int count) {
        Inputs.assume(value != null);
        Inputs.assume(offset >= 0 && count >= 0 && offset <= value.length - count);
        return new String(value, offset, count);
    }

    public static String format(String formatString, String arg0, String arg1, String arg2, String arg3, String arg4,
            String arg5, String arg6, String arg7, String arg8, String arg9) {
        return String.format(formatString, arg0, arg1, arg2, arg3, arg4, arg5, arg6, arg7, arg8, arg9);
    }

    public static String toString(int intVal) {
        return Integer.toString(intVal);
    }

    public static String toString(int intVal, int radix) {
        return Integer.toString(intVal, radix);
    }

    public static String toString(long longVal) {
        return Long.toString(longVal);
    }

    public static String toString(long longVal, int radix) {
        return Long.toString(longVal, radix);
    }

    public static String toString(float floatVal) {
        return Float.toString(floatVal);
    }

    public static String toString(double doubleVal) {
        return Double.toString(doubleVal);
    }

    public static int parseInt(String str, int radix) {
        return isValidInt(str, radix) ? Integer.parseInt(str, radix) : Inputs.nextInt(null);
    }

    public static long parseLong(String str, int radix) {
        return isValidLong(str, radix) ? Long.parseLong(str, radix) : Inputs.nextLong(null);
    }

    public static boolean isValidInt(String str, int radix) {
        try {
            Integer.parseInt(str, radix);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }

    public static boolean isValidLong(String str, int radix) {
        try {
            Long.parseLong(str, radix);
            return true;
        } catch (NumberFormatException e) {
            return false;
        }
    }
}
