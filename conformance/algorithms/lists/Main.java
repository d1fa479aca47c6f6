package algorithms.lists;

/** A generic singly linked list of ours: reversal, cycles, merging, iteration, removal. */
public class Main {
    static class Node<T> {
        T item;
        Node<T> next;

        Node(T item, Node<T> next) {
            this.item = item;
            this.next = next;
        }

        @Override
        public String toString() {
            return item + (next == null ? "" : " -> " + next);
        }
    }

    @SafeVarargs
    static <T> Node<T> of(T... items) {
        Node<T> head = null;
        for (int i = items.length; i-- > 0; ) head = new Node<>(items[i], head);
        return head;
    }

    static <T> Node<T> reverse(Node<T> n) {
        Node<T> result = null;
        while (n != null) {
            Node<T> next = n.next;
            n.next = result;
            result = n;
            n = next;
        }
        return result;
    }

    static <T> Node<T> reverseRecursively(Node<T> n) {
        if (n == null || n.next == null) return n;
        Node<T> head = reverseRecursively(n.next);
        n.next.next = n;
        n.next = null;
        return head;
    }

    static boolean cyclic(Node<?> n) {
        Node<?> fast = n;
        while (fast != null && fast.next != null) {
            n = n.next;
            fast = fast.next.next;
            if (n == fast) return true;
        }
        return false;
    }

    static <T extends Comparable<T>> Node<T> merge(Node<T> a, Node<T> b) {
        if (a == null) return b;
        if (b == null) return a;
        if (a.item.compareTo(b.item) <= 0) {
            a.next = merge(a.next, b);
            return a;
        }
        b.next = merge(a, b.next);
        return b;
    }

    static <T extends Comparable<T>> Node<T> sort(Node<T> n) {
        if (n == null || n.next == null) return n;
        Node<T> slow = n, fast = n.next;
        while (fast != null && fast.next != null) {
            slow = slow.next;
            fast = fast.next.next;
        }
        Node<T> second = slow.next;
        slow.next = null;
        return merge(sort(n), sort(second));
    }

    static <T> Node<T> remove(Node<T> n, T item) {
        if (n == null) return null;
        n.next = remove(n.next, item);
        return n.item.equals(item) ? n.next : n;
    }

    static int josephus(int people, int step) {
        Node<Integer> last = new Node<>(people, null), head = last;
        for (int i = people - 1; i > 0; i--) head = new Node<>(i, head);
        last.next = head;
        while (last.next != last) {
            for (int i = 1; i < step; i++) last = last.next;
            last.next = last.next.next;
        }
        return last.item;
    }

    public static void main(String[] args) {
        System.out.println(reverse(of(1, 2, 3, 4)));
        System.out.println(reverseRecursively(of("a", "b", "c")));
        System.out.println(reverse(null) + " " + reverseRecursively(of('x')));
        Node<Integer> ring = of(1, 2, 3, 4, 5);
        System.out.println(cyclic(ring));
        ring.next.next.next.next.next = ring.next;
        System.out.println(cyclic(ring) + " " + cyclic(null));
        System.out.println(merge(of(1, 4, 9), of(2, 3, 10, 11)));
        System.out.println(sort(of("pear", "fig", "apple", "kiwi", "date")));
        System.out.println(remove(remove(of(1, 2, 1, 3, 1), 1), 7));
        System.out.println(josephus(41, 3) + " " + josephus(5, 2) + " " + josephus(1, 9));
        Node<Long> big = null;
        for (long i = 0; i < 1000; i++) big = new Node<>(i * 7919 % 1000, big);
        big = sort(big);
        long sum = 0, index = 0;
        for (Node<Long> n = big; n != null; n = n.next) sum += n.item * index++;
        System.out.println(sum);
    }
}
