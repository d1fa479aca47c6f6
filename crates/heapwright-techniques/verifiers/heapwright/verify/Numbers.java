package heapwright.verify;

/** Messages of exceptions about strings that are no numbers, as the JDK makes them. */
final class Numbers {
    private Numbers() {
    }

    static String integerMessage(String text) {
        return "For input string: \"" + text + "\"";
    }

    static String decimalMessage(String text) {
        String number = text.trim();
        return number.isEmpty() ? "empty String" : "For input string: \"" + number + "\"";
    }
}
