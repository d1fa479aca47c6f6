package classes.errstream;

/** print and println of every type, on both streams; printing without a newline at the end. */
public class Main {
    @Override
    public String toString() {
        return "Main!";
    }

    public static void main(String[] args) {
        System.out.print(true);
        System.out.print('c');
        System.out.print(-5);
        System.out.print(1L << 60);
        System.out.print(2.5f);
        System.out.print(1e-7);
        System.out.print(new char[] {'x', 'y'});
        System.out.print("text");
        System.out.print((String) null);
        System.out.print(new Main());
        System.out.print((Object) null);
        System.out.println();
        System.out.println(false);
        System.out.println('\t');
        System.out.println((byte) -1);
        System.out.println((short) 5);
        System.out.println(Long.MIN_VALUE);
        System.out.println(1f / 3);
        System.out.println(1d / 3);
        System.out.println(new char[0]);
        System.out.println((Object) "object");
        System.out.println(new Main());
        System.err.println("on the other stream");
        System.err.print(5);
        System.out.append("appended").append('c').append("substring", 3, 6).println();
        System.out.write('w');
        System.out.write(10);
        System.out.flush();
        try {
            System.out.println((char[]) null);
        } catch (NullPointerException e) {
            System.out.println("null characters");
        }
        System.out.print("no newline\nat end\r");
    }
}
