package shop;

public record OrderPaid(long order, String receipt) {
}
