package strings.editing;

/** StringBuilder: insert, delete, replace, reverse, setLength, capacity growth and errors. */
public final class Main {
    public static void main(String[] args) {
        StringBuilder b = new StringBuilder("0123456789");
        System.out.println(b.insert(0, 'x').insert(5, 1.5).insert(b.length(), true).insert(2, new char[] {'[', ']'}).insert(3, (Object) null));
        System.out.println(b.delete(0, 3).deleteCharAt(0).delete(10, 1000));
        System.out.println(b.replace(1, 3, "REPLACED").replace(0, 0, "<").replace(b.length(), b.length() + 5, ">"));
        System.out.println(b.reverse() + " " + b.indexOf("E") + " " + b.lastIndexOf("E") + " " + b.indexOf("nothing"));
        b.setLength(4);
        System.out.println(b + "|" + b.length());
        b.setLength(6);
        System.out.println(b.toString().replace('\0', '.') + "|" + (int) b.charAt(5));
        b.setCharAt(0, '\u20ac');
        System.out.println((int) b.charAt(0) + " " + b.length() + " " + b.codePointAt(0));
        System.out.println(new StringBuilder("a\ud83d\ude00b").reverse().codePointAt(1) + " " + new StringBuilder().appendCodePoint(0x1f600).length());
        StringBuilder c = new StringBuilder(1);
        for (int i = 0; i < 1000; i++) {
            c.append(i % 10).append(i % 7 == 0 ? "," : "");
        }
        System.out.println(c.length() + " " + c.toString().hashCode() + " " + c.substring(990) + " " + c.subSequence(0, 5));
        System.out.println(new StringBuilder().append(1L).append(2f).append(3d).append('c').append("s", 0, 1).append(new char[] {'q', 'r'}, 1, 1).append((String) null).append(false));
        System.out.println(new StringBuilder("abc").compareTo(new StringBuilder("abd")) + " " + new StringBuilder("a").equals(new StringBuilder("a")) + " " + new StringBuilder().isEmpty());
        char[] out = new char[5];
        new StringBuilder("hello world").getChars(6, 11, out, 0);
        System.out.println(new String(out) + " " + new StringBuilder("abc").chars().sum());
        StringBuffer f = new StringBuffer("buf");
        f.append(1).insert(0, "<").reverse();
        System.out.println(f);
        Runnable[] bad = {() -> new StringBuilder("a").charAt(1), () -> new StringBuilder("a").deleteCharAt(5), () -> new StringBuilder("a").insert(2, "x"),
            () -> new StringBuilder("a").substring(1, 0), () -> new StringBuilder("a").setLength(-1), () -> new StringBuilder("a").replace(2, 1, "")};
        for (Runnable r : bad) {
            try {
                r.run();
                System.out.println("fine");
            } catch (IndexOutOfBoundsException e) {
                System.out.println(e instanceof StringIndexOutOfBoundsException ? "string index" : "index");
            }
        }
    }
}
