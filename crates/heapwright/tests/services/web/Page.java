package web;

import java.util.List;

/** A part of a list. */
public interface Page<T> extends Iterable<T> {
    List<T> getContent();

    long getTotalElements();

    default boolean isEmpty() {
        return getContent().isEmpty();
    }

    static <T> Page<T> empty() {
        return new PageImpl<>(List.of());
    }
}
