package algorithms.sorting;

/** Insertion, heap, quick, merge, shell, counting and radix sort agree with one another. */
public class Main {
    interface Sorter {
        void sort(int[] a);
    }

    static void insertion(int[] a) {
        for (int i = 1; i < a.length; i++) {
            int x = a[i], j = i - 1;
            for (; j >= 0 && a[j] > x; j--) a[j + 1] = a[j];
            a[j + 1] = x;
        }
    }

    static void heap(int[] a) {
        for (int i = a.length / 2 - 1; i >= 0; i--) sift(a, i, a.length);
        for (int end = a.length - 1; end > 0; end--) {
            int t = a[0];
            a[0] = a[end];
            a[end] = t;
            sift(a, 0, end);
        }
    }

    static void sift(int[] a, int i, int n) {
        while (true) {
            int largest = i, l = 2 * i + 1, r = l + 1;
            if (l < n && a[l] > a[largest]) largest = l;
            if (r < n && a[r] > a[largest]) largest = r;
            if (largest == i) return;
            int t = a[i];
            a[i] = a[largest];
            a[largest] = t;
            i = largest;
        }
    }

    static void quick(int[] a, int low, int high) {
        if (low >= high) return;
        int pivot = a[low + high >>> 1], i = low, j = high;
        do {
            while (a[i] < pivot) i++;
            while (a[j] > pivot) j--;
            if (i <= j) {
                int t = a[i];
                a[i++] = a[j];
                a[j--] = t;
            }
        } while (i <= j);
        quick(a, low, j);
        quick(a, i, high);
    }

    static int[] merge(int[] a) {
        if (a.length < 2) return a;
        int half = a.length / 2;
        int[] l = new int[half], r = new int[a.length - half];
        System.arraycopy(a, 0, l, 0, half);
        System.arraycopy(a, half, r, 0, r.length);
        l = merge(l);
        r = merge(r);
        int[] out = new int[a.length];
        for (int i = 0, j = 0, k = 0; k < out.length; k++) {
            out[k] = j >= r.length || i < l.length && l[i] <= r[j] ? l[i++] : r[j++];
        }
        return out;
    }

    static void shell(int[] a) {
        for (int gap = a.length / 2; gap > 0; gap /= 2) {
            for (int i = gap; i < a.length; i++) {
                for (int j = i; j >= gap && a[j - gap] > a[j]; j -= gap) {
                    a[j] ^= a[j - gap];
                    a[j - gap] ^= a[j];
                    a[j] ^= a[j - gap];
                }
            }
        }
    }

    static void radix(int[] a) {
        int[] b = new int[a.length];
        for (int shift = 0; shift < 32; shift += 8) {
            int[] counts = new int[257];
            for (int x : a) counts[((x ^ 0x80000000) >>> shift & 0xff) + 1]++;
            for (int i = 0; i < 256; i++) counts[i + 1] += counts[i];
            for (int x : a) b[counts[(x ^ 0x80000000) >>> shift & 0xff]++] = x;
            System.arraycopy(b, 0, a, 0, a.length);
        }
    }

    static int[] random(int n, int seed) {
        int[] a = new int[n];
        for (int i = 0; i < n; i++) {
            seed = seed * 1103515245 + 12345;
            a[i] = seed >> 8;
        }
        return a;
    }

    public static void main(String[] args) {
        Sorter[] sorters = {Main::insertion, Main::heap, a -> quick(a, 0, a.length - 1),
            a -> System.arraycopy(merge(a), 0, a, 0, a.length), Main::shell, Main::radix};
        for (int n : new int[] {0, 1, 2, 10, 300}) {
            for (Sorter s : sorters) {
                int[] a = random(n, n + 7);
                s.sort(a);
                long hash = 0;
                boolean ordered = true;
                for (int i = 0; i < n; i++) {
                    hash = hash * 31 + a[i];
                    ordered &= i == 0 || a[i - 1] <= a[i];
                }
                System.out.println(n + " " + ordered + " " + hash);
            }
        }
    }
}
