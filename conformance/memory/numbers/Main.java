package memory.numbers;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/** Numbers and short texts that may equal the place of an object: they retain nothing. */
public class Main {
    static int small = 20_001;
    static int medium = 30_003;
    static int large = 50_005;
    static long wide = 70_007;
    static char letter = 'e';
    static short half = 25_003;

    static final String[] TEXTS = {
        "a0", "a1", "a2", "a3", "a4", "a5", "a6", "a7", "b0", "b1", "b2", "b3", "b4", "b5", "b6", "b7",
        "0a", "1a", "2a", "3a", "4a", "5a", "6a", "7a", "0b", "1b", "2b", "3b", "4b", "5b", "6b", "7b",
        "c!", "d!", "e!", "f!", "g!", "h!", "i!", "j!", "c-", "d-", "e-", "f-", "g-", "h-", "i-", "j-",
    };

    static List<WeakReference<int[]>> references(int count) {
        List<WeakReference<int[]>> references = new ArrayList<>();
        for (int index = 0; index < count; index++) {
            references.add(new WeakReference<>(new int[] {index}));
        }
        return references;
    }

    static int cleared(List<WeakReference<int[]>> references) {
        int cleared = 0;
        for (WeakReference<int[]> reference : references) {
            if (reference.refersTo(null)) {
                cleared++;
            }
        }
        return cleared;
    }

    public static void main(String[] args) {
        List<WeakReference<int[]>> references = references(20_000);
        System.gc();
        System.out.println("cleared " + cleared(references));
        int[] held = {1};
        references.add(new WeakReference<>(held));
        System.gc();
        System.out.println("cleared " + cleared(references) + " of " + references.size());
        System.out.println(held[0] + small + medium + large + wide + letter + half + TEXTS.length);
    }
}
