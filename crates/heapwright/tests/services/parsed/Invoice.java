package parsed;

import java.math.BigDecimal;

/** Invoice whose amount is a text. */
public class Invoice {
    private final String amount;

    public Invoice(String amount) {
        this.amount = amount;
    }

    public String size() {
        BigDecimal number = new BigDecimal(amount.trim());
        if (number.signum() < 0) {
            return "credit";
        }
        return number.compareTo(new BigDecimal("100000")) > 0 ? "large" : "small";
    }
}
