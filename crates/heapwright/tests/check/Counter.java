package probe;

/** A number in a cell and its history. Adding 0 when the number is 2 adds 1. */
public class Counter {
    static class Cell {
        int value;
    }

    Cell cell;

    public void add(int number) {
        cell.value += cell.value == 2 && number == 0 ? 1 : number;
    }

    public boolean repOK() {
        return cell != null;
    }
}
