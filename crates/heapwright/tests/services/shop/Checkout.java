package shop;

public class Checkout {
    private final Gateway gateway;
    private final Events events;

    public Checkout(Gateway gateway, Events events) {
        this.gateway = gateway;
        this.events = events;
    }

    public boolean pay(Order order, String account) {
        if (order.getStatus() != Order.Status.NEW) {
            throw new IllegalStateException("order " + order.getId() + " is " + order.getStatus());
        }
        try {
            String receipt = gateway.charge(account, order.getTotal());
            order.paid(receipt);
            events.publish(new OrderPaid(order.getId(), receipt));
            return true;
        } catch (PaymentFailed failed) {
            order.cancelled();
            return false;
        }
    }

    public void cancel(Order order) {
        if (order.getStatus() == Order.Status.PAID) {
            gateway.refund(order.getReceipt());
        }
        order.cancelled();
    }
}
