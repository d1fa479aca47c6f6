package strings.builder;

/** StringBuilder: append of every type, insert, delete, replace, reverse, capacity-free facts. */
public class Main {
    public static void main(String[] args) {
        StringBuilder sb = new StringBuilder();
        sb.append(1).append(' ').append(2L).append(true).append(1.5f).append(2.5).append("s").append((String) null)
                .append((Object) null).append(new char[] {'x', 'y'}).append("abcdef", 1, 3).append(new char[] {'1', '2', '3'}, 1, 1);
        System.out.println(sb + " " + sb.length());
        sb.insert(0, "start").insert(5, 99).insert(sb.length(), 'e').insert(2, false).insert(1, 1.25);
        System.out.println(sb);
        sb.delete(0, 10).deleteCharAt(0).replace(0, 3, "REPLACED");
        System.out.println(sb);
        sb.setCharAt(0, 'r');
        sb.setLength(5);
        System.out.println(sb + "|" + sb.charAt(4));
        sb.setLength(7);
        System.out.println((int) sb.charAt(6) + " " + sb.length());
        sb.setLength(0);
        System.out.println(sb.isEmpty() + "[" + sb + "]");
        for (int i = 0; i < 1000; i++) {
            sb.append(i % 10);
        }
        System.out.println(sb.length() + " " + sb.substring(995) + " " + sb.indexOf("90") + " " + sb.lastIndexOf("01"));
        System.out.println(new StringBuilder("racecar!").reverse());
        System.out.println(new StringBuilder("a\ud83d\ude00b").reverse().toString().equals("b\ud83d\ude00a"));
        sb = new StringBuilder("wide \u4e2d\u6587");
        sb.append('!').insert(0, '\u00fc').append("latin");
        System.out.println(sb.length() + " " + (int) sb.charAt(6) + " " + sb.indexOf("latin"));
        sb.setLength(5);
        System.out.println(sb.length() + " " + sb.toString().equals("\u00fcwide"));
        sb.appendCodePoint(0x1f600);
        System.out.println(sb.length() + " " + sb.codePointAt(5));
        StringBuffer buffer = new StringBuffer("buf");
        buffer.append(1).append(buffer).insert(0, "<").append('>');
        System.out.println(buffer);
        System.out.println(new StringBuilder("abc").compareTo(new StringBuilder("abd")));
        System.out.println(new StringBuilder("a").equals(new StringBuilder("a")));
        System.out.println(new StringBuilder("a").append(new StringBuilder("b")).append(new StringBuffer("c")).append((CharSequence) "defg", 1, 2));
        char[] target = new char[4];
        new StringBuilder("getChars").getChars(3, 7, target, 0);
        System.out.println(target);
        try {
            new StringBuilder("abc").insert(5, "x");
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("insert out of bounds");
        }
        try {
            new StringBuilder("abc").delete(2, 1);
        } catch (StringIndexOutOfBoundsException e) {
            System.out.println("delete out of bounds");
        }
    }
}
