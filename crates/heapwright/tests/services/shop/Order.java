package shop;

public class Order {
    public enum Status { NEW, PAID, CANCELLED }

    private final long id;
    private final Money total;
    private Status status = Status.NEW;
    private String receipt;

    public Order(long id, Money total) {
        this.id = id;
        this.total = total;
    }

    public long getId() { return id; }
    public Money getTotal() { return total; }
    public Status getStatus() { return status; }
    public String getReceipt() { return receipt; }
    public void paid(String receipt) { this.receipt = receipt; this.status = Status.PAID; }
    public void cancelled() { this.status = Status.CANCELLED; }
}
