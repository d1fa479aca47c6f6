package shop;

public class Login {
    private static final long LIFE = 3_600;
    private final Sessions sessions;
    private final Ticker ticker;

    public Login(Sessions sessions, Ticker ticker) {
        this.sessions = sessions;
        this.ticker = ticker;
    }

    public boolean isValid(String token) {
        Session session = sessions.find(token);
        if (session == null) {
            return false;
        }
        if (session.getExpires() <= ticker.now()) {
            sessions.remove(token);
            return false;
        }
        return true;
    }

    public Session renew(String token) {
        if (!isValid(token)) {
            throw new SecurityException("not logged in");
        }
        Session renewed = new Session(token, ticker.now() + LIFE);
        sessions.store(renewed);
        return renewed;
    }
}
