package shelf;

import java.io.IOException;
import java.util.NoSuchElementException;

/** A generic circular list; all of it can be named in its package. */
public class Ring<E> {
    Node<E> header = new Node<>();
    int size;

    static class Node<E> {
        E item;
        Node<E> next = this;
        Node<E> previous = this;
    }

    private boolean isRing() {
        int count = 0;
        Node<E> node = header;
        do {
            if (node.next == null || node.next.previous != node || count > size) {
                return false;
            }
            node = node.next;
            count++;
        } while (node != header);
        return count == size + 1;
    }

    public void add(E item) {
        Node<E> node = new Node<>();
        node.item = item;
        node.previous = header.previous;
        node.next = header;
        header.previous.next = node;
        header.previous = node;
        size++;
    }

    public E first() {
        if (size == 0) {
            throw new NoSuchElementException();
        }
        return header.next.item;
    }

    public boolean remove(int index) {
        if (index >= size) {
            throw new IndexOutOfBoundsException();
        }
        return false;
    }

    public boolean remove(Object item) {
        for (Node<E> node = header.next; node != header; node = node.next) {
            if (item == null ? node.item == null : item.equals(node.item)) {
                node.previous.next = node.next;
                node.next.previous = node.previous;
                size--;
                return true;
            }
        }
        return false;
    }

    public Ring<E> self() {
        return this;
    }

    @SafeVarargs
    public final int addAll(E... items) throws IOException {
        if (items == null) {
            throw new IOException("nothing to read");
        }
        for (E item : items) {
            add(item);
        }
        return size;
    }

    Node<E> header() {
        return header;
    }

    boolean isHeader(Node<E> node) {
        return node == header;
    }

    public StringBuilder show() {
        return new StringBuilder("ring of ").append(size);
    }

    public static long twice(int number) {
        return 2L * number;
    }
}
