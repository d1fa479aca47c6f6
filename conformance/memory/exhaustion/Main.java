package memory.exhaustion;

import java.util.ArrayList;
import java.util.List;

/** A program that fills the memory, lets go of what it holds and goes on. */
public class Main {
    static int fill() {
        List<long[]> blocks = new ArrayList<>();
        try {
            while (true) {
                blocks.add(new long[4 << 20]);
            }
        } catch (OutOfMemoryError e) {
            int full = blocks.size();
            blocks = null;
            System.out.println(e.getMessage());
            return full;
        }
    }

    public static void main(String[] args) {
        int first = fill();
        int second = fill();
        System.out.println(first > 0 && second > 0 && Math.abs(first - second) <= 1 + first / 5);
        try {
            int[] large = new int[Integer.MAX_VALUE];
            System.out.println(large.length);
        } catch (OutOfMemoryError e) {
            System.out.println(e.getMessage());
        }
        StringBuilder text = new StringBuilder();
        for (int index = 0; index < 1_000; index++) {
            text.append(index);
        }
        System.out.println(text.length());
    }
}
