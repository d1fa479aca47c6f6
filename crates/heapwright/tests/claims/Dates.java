package claims;

/** Dates, of which there are more than pairs are made of. */
public class Dates {
    private int year;
    private int month;
    private int day;

    public boolean isFirst() {
        return day == 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof Dates that
                && year == that.year
                && month == that.month
                && day == that.day;
    }

    @Override
    public int hashCode() {
        return 31 * (31 * year + month) + day;
    }
}
