package arithmetic.increments;

/** iinc in its short and wide forms, and increments of every narrower type. */
public class Main {
    static byte sb = 127;
    short fs = -32768;
    char[] chars = {'\uffff', 'a'};

    public static void main(String[] args) {
        int i = 0;
        i++;
        ++i;
        i--;
        i += 127;
        i += 128;
        i -= 128;
        i -= 129;
        i += 32767;
        i += 32768;
        i -= 32768;
        System.out.println(i);
        int j = i++ + ++i;
        System.out.println(i + " " + j);
        i = i++;
        System.out.println(i);
        i = i++ + i++;
        System.out.println(i);
        byte b = 127;
        b++;
        System.out.println(b);
        short s = -32768;
        s--;
        System.out.println(s);
        char c = 0;
        c--;
        System.out.println((int) c);
        sb++;
        System.out.println(sb);
        System.out.println(sb-- + " " + sb);
        Main m = new Main();
        System.out.println(--m.fs);
        System.out.println(m.fs++ + " " + m.fs);
        m.chars[0]++;
        System.out.println((int) m.chars[0] + " " + m.chars[1]++ + m.chars[1]);
        long l = Long.MAX_VALUE;
        l++;
        System.out.println(l + " " + l-- + " " + l);
        float f = 0.5f;
        f--;
        System.out.println(f++ + " " + f);
        Integer boxed = 127;
        boxed++;
        System.out.println(boxed);
    }
}
