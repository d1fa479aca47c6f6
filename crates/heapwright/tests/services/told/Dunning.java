package told;

/** Service that changes what it saves, and tells of it. */
public final class Dunning {
    private final BillStore bills;
    private final Events events;

    public Dunning(BillStore bills, Events events) {
        this.bills = bills;
        this.events = events;
    }

    public int remind(String number) {
        Bill bill = bills.find(number);
        if (bill == null) {
            return 0;
        }
        int reminders = bill.getReminders() + 1;
        bill.setReminders(reminders);
        bills.save(bill);
        if (reminders > 2) {
            events.publish(new Overdue(bill.getNumber(), reminders));
        }
        return reminders;
    }
}
