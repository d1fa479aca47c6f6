package parsed;

/** Gives the time of the next message. */
public interface Feed {
    String next();
}
