package shop;

public class PaymentFailed extends Exception {
    private final int code;

    public PaymentFailed(String message, int code) {
        super(message);
        this.code = code;
    }

    public int getCode() { return code; }
}
