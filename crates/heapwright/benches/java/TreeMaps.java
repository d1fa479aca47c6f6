import java.util.TreeMap;

/** A tree map with insertions, removals and walks. */
public class TreeMaps {
    public static void main(String[] args) {
        TreeMap<Integer, Integer> map = new TreeMap<>();
        long sum = 0;
        int key = 12345;
        for (int i = 0; i < 300_000; i++) {
            key = key * 1103515245 + 12345 & 0xFFFFF;
            map.put(key, i);
            if (i % 3 == 0) {
                map.remove(key * 5 & 0xFFFFF);
            }
        }
        for (int value : map.values()) {
            sum += value;
        }
        System.out.println(map.size() + " " + sum);
    }
}
