package heapwright.verify;

/**
 * Messages of exceptions about strings, as the JDK makes them, for a string of a length; and strings that the JDK makes in several
 * steps.
 */
final class Texts {
    private Texts() {
    }

    static String charMessage(int length, int index) {
        try {
            return String.valueOf(text(length).charAt(index));
        } catch (IndexOutOfBoundsException exception) {
            return exception.getMessage();
        }
    }

    static String tailMessage(int length, int start) {
        try {
            return text(length).substring(start);
        } catch (IndexOutOfBoundsException exception) {
            return exception.getMessage();
        }
    }

    static String partMessage(int length, int start, int end) {
        try {
            return text(length).substring(start, end);
        } catch (IndexOutOfBoundsException exception) {
            return exception.getMessage();
        }
    }

    static String urlMessage(String text) {
        try {
            return java.net.URLDecoder.decode(text, java.nio.charset.StandardCharsets.UTF_8);
        } catch (IllegalArgumentException exception) {
            return exception.getMessage();
        }
    }

    static String part(String text, String pattern, int limit, int index) {
        return text.split(pattern, limit)[index];
    }

    static String padding(String text, int width, char character) {
        return String.valueOf(character).repeat(Math.max(0, width - text.length()));
    }

    static String decimal(double number, int places) {
        return String.format("%." + places + "f", number);
    }

    static String reversed(String text) {
        return new StringBuilder(text).reverse().toString();
    }

    private static String text(int length) {
        return "x".repeat(length);
    }
}
