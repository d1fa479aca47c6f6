package algorithms.bank;

import java.util.LinkedHashMap;
import java.util.Map;

/** Accounts with transfers that fail and are taken back, as a state machine. */
public final class Main {
    enum State {
        OPEN, FROZEN, CLOSED;

        State on(String event) {
            return switch (this) {
                case OPEN -> event.equals("freeze") ? FROZEN : event.equals("close") ? CLOSED : this;
                case FROZEN -> event.equals("thaw") ? OPEN : this;
                case CLOSED -> throw new IllegalStateException("closed on " + event);
            };
        }
    }

    static class Refused extends Exception {
        Refused(String why) {
            super(why);
        }
    }

    static class Account {
        private long cents;
        private State state = State.OPEN;

        void change(long by) throws Refused {
            if (state != State.OPEN) {
                throw new Refused("account is " + state);
            }
            if (Math.addExact(cents, by) < 0) {
                throw new Refused("short of " + -(cents + by));
            }
            cents += by;
        }
    }

    public static void main(String[] args) {
        Map<String, Account> bank = new LinkedHashMap<>();
        String script = "a +500;b +200;a>b 300;a>b 300;b !freeze;a>b 1;b !thaw;b>a 450;c +9223372036854775807;c +1;c>a 5;b !close;b !thaw;a>z 1";
        for (String line : script.split(";")) {
            String result = "done";
            try {
                String[] p = line.split(" ");
                if (p[1].startsWith("+")) {
                    bank.computeIfAbsent(p[0], k -> new Account()).change(Long.parseLong(p[1]));
                } else if (p[1].startsWith("!")) {
                    Account a = bank.get(p[0]);
                    a.state = a.state.on(p[1].substring(1));
                } else {
                    Account from = bank.get(p[0].substring(0, 1));
                    long n = Long.parseLong(p[1]);
                    from.change(-n);
                    try {
                        bank.get(p[0].substring(2)).change(n);
                    } catch (Refused | RuntimeException e) {
                        from.change(n);
                        throw e;
                    }
                }
            } catch (Refused e) {
                result = "refused: " + e.getMessage();
            } catch (ArithmeticException | IllegalStateException e) {
                result = e.getMessage();
            } catch (NullPointerException e) {
                result = "nobody";
            }
            System.out.print(line + " " + result);
            bank.forEach((k, a) -> System.out.print(" " + k + "=" + a.cents));
            System.out.println();
        }
    }
}
