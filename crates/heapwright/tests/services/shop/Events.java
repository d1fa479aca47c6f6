package shop;

public interface Events {
    void publish(Object event);
}
