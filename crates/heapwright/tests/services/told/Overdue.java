package told;

/** Event without {@code equals}. */
public final class Overdue {
    private final String number;
    private final int reminders;

    public Overdue(String number, int reminders) {
        this.number = number;
        this.reminders = reminders;
    }

    public String getNumber() {
        return number;
    }

    public int getReminders() {
        return reminders;
    }
}
