package shop;

public class Transfers {
    public interface Accounts {
        Account get(String iban);
        void update(Account account);
    }

    public static class Account {
        private final String iban;
        private long balance;

        public Account(String iban, long balance) {
            this.iban = iban;
            this.balance = balance;
        }

        public String getIban() { return iban; }
        public long getBalance() { return balance; }

        public void withdraw(long amount) {
            if (amount > balance) {
                throw new IllegalStateException("insufficient funds");
            }
            balance -= amount;
        }

        public void deposit(long amount) { balance += amount; }
    }

    private final Accounts accounts;

    public Transfers(Accounts accounts) {
        this.accounts = accounts;
    }

    public void transfer(String from, String to, long amount) {
        if (amount <= 0) {
            throw new IllegalArgumentException("amount " + amount);
        }
        Account source = accounts.get(from);
        Account target = accounts.get(to);
        if (source == null || target == null) {
            throw new IllegalArgumentException("unknown account");
        }
        source.withdraw(amount);
        target.deposit(amount);
        accounts.update(source);
        accounts.update(target);
    }
}
