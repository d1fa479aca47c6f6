package shop;

public interface Sessions {
    Session find(String token);
    void store(Session session);
    void remove(String token);
}
