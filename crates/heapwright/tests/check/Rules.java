package probe;

/** Oracles. */
public class Rules {
    static boolean adds(Counter before, int number, Counter after) {
        return after.cell.value == before.cell.value + number;
    }
}
