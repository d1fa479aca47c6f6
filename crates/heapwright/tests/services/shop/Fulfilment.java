package shop;

import java.util.ArrayList;
import java.util.List;

public class Fulfilment {
    public record Line(String sku, int quantity) {
    }

    private final Stock stock;
    private final Events events;
    private int shipped;

    public Fulfilment(Stock stock, Events events) {
        this.stock = stock;
        this.events = events;
    }

    public boolean ship(List<Line> lines) {
        List<Line> reserved = new ArrayList<>();
        for (Line line : lines) {
            if (stock.available(line.sku()) < line.quantity() || !stock.reserve(line.sku(), line.quantity())) {
                for (Line done : reserved) {
                    stock.release(done.sku(), done.quantity());
                }
                events.publish("rejected " + line.sku());
                return false;
            }
            reserved.add(line);
        }
        shipped += reserved.size();
        events.publish("shipped " + reserved.size());
        return true;
    }

    public int getShipped() { return shipped; }
}
