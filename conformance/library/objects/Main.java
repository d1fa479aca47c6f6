package library.objects;

import java.util.Arrays;
import java.util.Objects;
import java.util.StringJoiner;
import java.util.StringTokenizer;
import java.util.UUID;

/** Objects, StringJoiner, StringTokenizer, UUID from a name. */
public class Main {
    public static void main(String[] args) {
        System.out.println(Objects.equals(null, null) + " " + Objects.equals("a", null) + " " + Objects.equals("a", "a") + " " + Objects.hash(1, "b", null) + " " + Objects.hashCode(null));
        System.out.println(Objects.toString(null) + " " + Objects.toString(null, "default") + " " + Objects.isNull(null) + " " + Objects.nonNull(null) + " " + Objects.requireNonNullElse(null, "else"));
        System.out.println(Objects.deepEquals(new int[] {1}, new int[] {1}) + " " + Objects.compare("a", "b", String::compareTo) + " " + Objects.checkIndex(2, 3));
        try {
            Objects.requireNonNull(null, "message");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            Objects.requireNonNull(null, () -> "supplied");
        } catch (NullPointerException e) {
            System.out.println(e.getMessage());
        }
        try {
            Objects.checkIndex(3, 3);
        } catch (IndexOutOfBoundsException e) {
            System.out.println(e.getMessage());
        }
        StringJoiner j = new StringJoiner(", ", "{", "}");
        j.setEmptyValue("EMPTY");
        System.out.println(j + " " + j.length());
        j.add("a").add("b");
        System.out.println(j + " " + j.length() + " " + j.merge(new StringJoiner("-").add("x").add("y")));
        StringTokenizer t = new StringTokenizer("a b,c  d", " ,");
        System.out.print(t.countTokens() + ":");
        while (t.hasMoreTokens()) System.out.print(" " + t.nextToken());
        System.out.println();
        System.out.println(new UUID(1L, 2L) + " " + UUID.fromString("00000000-0000-0001-0000-000000000002").equals(new UUID(1, 2)));
        System.out.println(Arrays.asList(1, null, "x").hashCode() + " " + Boolean.compare(true, false) + " " + "x".describeConstable().isPresent());
    }
}
