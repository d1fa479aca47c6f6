package web;

import java.util.Iterator;
import java.util.List;

/** A part of a list that has all of it. */
public class PageImpl<T> implements Page<T> {
    private final List<T> content;

    public PageImpl(List<T> content) {
        this.content = List.copyOf(content);
    }

    @Override
    public List<T> getContent() {
        return content;
    }

    @Override
    public long getTotalElements() {
        return content.size();
    }

    @Override
    public Iterator<T> iterator() {
        return content.iterator();
    }
}
