package told;

public interface Events {
    void publish(Object event);
}
