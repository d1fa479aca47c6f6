package told;

public interface BillStore {
    Bill find(String number);

    Bill save(Bill bill);
}
