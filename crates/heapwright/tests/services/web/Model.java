package web;

/** What a view shows. */
public interface Model {
    Model addAttribute(String name, Object value);

    Object getAttribute(String name);
}
