package told;

/** Entity without {@code equals}, which services change. */
public class Bill {
    private final String number;
    private int reminders;
    private boolean closed;

    public Bill(String number) {
        this.number = number;
    }

    public String getNumber() {
        return number;
    }

    public int getReminders() {
        return reminders;
    }

    public void setReminders(int reminders) {
        this.reminders = reminders;
    }

    public boolean isClosed() {
        return closed;
    }

    public void setClosed(boolean closed) {
        this.closed = closed;
    }
}
