package shop;

public interface Gateway {
    String charge(String account, Money amount) throws PaymentFailed;
    void refund(String receipt);
}
