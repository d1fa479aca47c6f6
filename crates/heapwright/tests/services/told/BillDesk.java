package told;

/** Controller whose answers have parts, and which asks a real service. */
public final class BillDesk {
    private final Dunning dunning;

    public BillDesk(Dunning dunning) {
        this.dunning = dunning;
    }

    public Reply<BillView> open(String number, String customer) {
        Headers headers = new Headers();
        headers.setLocation("/bills/" + number);
        BillView view = new BillView("Bill " + number, new BillView.Customer("Dear " + customer));
        return new Reply<>(201, headers, view);
    }

    public boolean remind(String number) {
        return dunning.remind("B-" + number) > 0;
    }
}
