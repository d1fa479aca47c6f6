package shop;

public interface Handler<E> {
    boolean handle(E event);
}
