package claims;

/** Branches that bounds keep from being reached, and some that nothing does. */
public class Texts {
    private int ticks;

    public boolean isLong(String text) {
        return text.length() > 40;
    }

    public boolean isShort(String text) {
        return text.length() < 2;
    }

    public void tick() {
        ticks++;
    }

    public boolean isLate() {
        return ticks >= 60;
    }

    public boolean never(int number) {
        return number < 0 && number > 0;
    }

    public int bits(int number) {
        int count = 0;
        for (int mask = 1; mask != 256; mask <<= 1) {
            if ((number & mask) != 0) {
                count++;
            }
        }
        return count;
    }

    public int cores(int number) {
        if (Runtime.getRuntime().availableProcessors() == 1) {
            throw new IllegalStateException("one is too few");
        }
        return number;
    }
}
