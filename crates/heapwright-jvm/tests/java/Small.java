// Small methods whose register code is written down.
public class Small {
    int sum;
    static long total;
    String name;

    int add(int[] numbers, int least) {
        for (int number : numbers) {
            if (number >= least) {
                sum += number;
            }
        }
        return sum;
    }

    static long twice(long value) {
        total = value * 2L;
        return total;
    }

    Object pick(int which) {
        try {
            switch (which) {
                case 0: return "none";
                case 1: return new Small();
                case 1000: return (Small) null;
                default: return name.concat("!");
            }
        } catch (NullPointerException e) {
            return e;
        }
    }
}
