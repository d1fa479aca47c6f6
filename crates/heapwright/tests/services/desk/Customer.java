package desk;

import java.util.ArrayList;
import java.util.List;

/** A customer with orders. */
public class Customer {
    private Integer id;
    private String name;
    private final List<Order> orders = new ArrayList<>();

    public Integer getId() {
        return id;
    }

    public void setId(Integer id) {
        this.id = id;
    }

    public String getName() {
        return name;
    }

    public void setName(String name) {
        this.name = name;
    }

    public List<Order> getOrders() {
        return orders;
    }

    /** Adds an order that has no number yet. */
    public void addOrder(Order order) {
        if (order.getNumber() == null) {
            orders.add(order);
        }
    }

    /** The order with a number, null if there is none. */
    public Order getOrder(int number) {
        for (Order order : orders) {
            if (order.getNumber() != null && order.getNumber() == number) {
                return order;
            }
        }
        return null;
    }
}
