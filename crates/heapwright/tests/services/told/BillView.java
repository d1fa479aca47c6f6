package told;

/** View without {@code equals}. */
public final class BillView {
    private final String text;
    private final Customer customer;

    public BillView(String text, Customer customer) {
        this.text = text;
        this.customer = customer;
    }

    public String getText() {
        return text;
    }

    public Customer getCustomer() {
        return customer;
    }

    public static final class Customer {
        private final String name;

        public Customer(String name) {
            this.name = name;
        }

        public String getName() {
            return name;
        }
    }
}
