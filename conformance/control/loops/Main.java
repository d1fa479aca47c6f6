package control.loops;

/** Loops with labelled breaks and continues, all loop forms, evaluation order. */
public class Main {
    static int trace(String name, int v) {
        System.out.print(name + " ");
        return v;
    }

    public static void main(String[] args) {
        outer:
        for (int i = 0; i < 5; i++) {
            for (int j = 0; j < 5; j++) {
                if (j == 3) continue outer;
                if (i == 3) break outer;
                System.out.print(i * 10 + j + " ");
            }
            System.out.println("never");
        }
        System.out.println();
        int n = 0;
        do {
            n += 2;
            if (n == 4) continue;
            System.out.print(n + " ");
        } while (n < 9);
        System.out.println();
        while (true) {
            if (n-- == 5) break;
        }
        System.out.println(n);
        block: {
            if (n == 4) break block;
            System.out.println("skipped");
        }
        for (int i = 0, j = 10; i < j; i += 2, j--) {
            System.out.print(i + "/" + j + " ");
        }
        System.out.println();
        loop:
        while (true) {
            do {
                n++;
                if (n > 20) break loop;
                if (n % 7 == 0) continue loop;
            } while (n % 3 != 0);
            System.out.print(n + ";");
        }
        System.out.println();
        int r = trace("a", 1) + trace("b", 2) * trace("c", 3) - (trace("d", 4) + trace("e", 5));
        System.out.println(r);
        int[] array = new int[3];
        array[trace("index", 1)] = trace("value", 9);
        System.out.println(array[1]);
        boolean shortcut = trace("x", 0) == 1 && trace("y", 1) == 1 || trace("z", 1) == 1;
        System.out.println(shortcut);
        boolean full = trace("x", 0) == 1 & trace("y", 1) == 1 | trace("z", 1) == 2;
        System.out.println(full);
        long total = 0;
        for (long l = Integer.MAX_VALUE - 2L; l < Integer.MAX_VALUE + 3L; l++) {
            total += l;
        }
        System.out.println(total);
    }
}
