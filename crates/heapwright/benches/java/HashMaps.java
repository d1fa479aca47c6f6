import java.util.HashMap;
import java.util.Map;

/** A hash map filled and read. */
public class HashMaps {
    public static void main(String[] args) {
        long sum = 0;
        for (int round = 0; round < 5; round++) {
            Map<Integer, Integer> map = new HashMap<>();
            for (int i = 0; i < 200_000; i++) {
                map.put(i * 7, i);
            }
            for (int i = 0; i < 1_400_000; i += 3) {
                Integer found = map.get(i);
                if (found != null) {
                    sum += found;
                }
            }
        }
        System.out.println(sum);
    }
}
