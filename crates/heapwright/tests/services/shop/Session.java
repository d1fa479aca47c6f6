package shop;

public class Session {
    private final String token;
    private final long expires;

    public Session(String token, long expires) {
        this.token = token;
        this.expires = expires;
    }

    public String getToken() { return token; }
    public long getExpires() { return expires; }
}
