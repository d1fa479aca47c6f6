// Code whose fields nobody has chosen yet: each first read is a choice, and what is read next
// depends on what was chosen.
package walk;

public class Choices {
    int i;
    boolean z;
    byte b;
    long j;
    double d;
    Choices left;
    Choices right;
    short[] array;
    static int s;

    private static int calls;

    public int run() {
        calls++;
        int sum = 0;
        synchronized (this) {
            if (z) {
                System.out.print("z");
                sum += left(this, 3);
                // Written before it was ever read: no choice any more.
                d = 0.5;
            } else {
                sum += b * 10;
            }
            if (i > 1) {
                try {
                    sum += fail(i);
                } catch (IllegalStateException e) {
                    sum += e.getMessage().length() + (int) j;
                }
            } else if (i == 1) {
                sum += s;
                s = sum;
            }
            if (sum > 5 && array != null) {
                short[] array = this.array;
                for (int at = 0; at < array.length; at++) {
                    sum += array[at];
                    array[(at + 1) % 2] = 3;
                }
            }
            Object copy = new int[i + 1].clone();
            sum += System.identityHashCode(copy) & 7;
        }
        System.out.print("[" + sum + ":" + (int) (d * 4) + "]");
        if (d > 1) {
            throw new ArithmeticException("d " + (long) d);
        }
        return sum * 100 + calls;
    }

    private static int left(Choices at, int depth) {
        if (at == null) {
            return 7;
        }
        if (depth == 0) {
            return at.right == at.left ? 1 : 2;
        }
        return left(at.left, depth - 1) * 2 + at.b;
    }

    private int fail(int levels) {
        if (levels > 1) {
            return fail(levels - 1) + 1;
        }
        throw new IllegalStateException(right == null ? "none" : right.z ? "set" : "cleared");
    }
}
