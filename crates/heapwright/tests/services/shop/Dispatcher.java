package shop;

import java.util.ArrayList;
import java.util.List;

public class Dispatcher<E> {
    private final List<Handler<E>> handlers = new ArrayList<>();
    private final Handler<E> fallback;

    public Dispatcher(Handler<E> fallback) {
        this.fallback = fallback;
    }

    public void register(Handler<E> handler) {
        if (handler == null) {
            throw new IllegalArgumentException("handler");
        }
        handlers.add(handler);
    }

    public boolean dispatch(E event) {
        for (Handler<E> handler : handlers) {
            if (handler.handle(event)) {
                return true;
            }
        }
        return fallback.handle(event);
    }
}
