/** A heap in an array, in the default package. */
public class HeapArray {
    int[] array;
    int size;

    protected boolean repOk() {
        if (array == null || size < 0 || size > array.length) {
            return false;
        }
        for (int i = 1; i < size; i++) {
            if (array[(i - 1) / 2] < array[i]) {
                return false;
            }
        }
        return true;
    }

    public int top() {
        return array[0];
    }

    public int[] elements() {
        return array;
    }
}
