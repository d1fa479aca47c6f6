package heapwright.verify;

/** Messages of exceptions about places in strings, as the JDK makes them for a string of this length. */
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

    private static String text(int length) {
        return "x".repeat(length);
    }
}
