package web;

import java.util.ArrayList;
import java.util.List;

/** Errors in a list. */
public class ListedErrors implements Errors {
    private final List<String> errors = new ArrayList<>();
    private final Object target;

    public ListedErrors(Object target) {
        this.target = target;
    }

    public Object getTarget() {
        return target;
    }

    @Override
    public void rejectValue(String field, String code, String message) {
        errors.add(field + ": " + message);
    }

    @Override
    public List<String> getAllErrors() {
        return errors;
    }
}
