package web;

import java.util.List;

/** Errors that were found in an input. */
public interface Errors {
    void rejectValue(String field, String code, String message);

    List<String> getAllErrors();

    default boolean hasErrors() {
        return !getAllErrors().isEmpty();
    }
}
