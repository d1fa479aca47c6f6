package parsed;

import java.time.LocalDateTime;

/** Looks at what a feed gives. */
public class Messages {
    private final Feed feed;

    public Messages(Feed feed) {
        this.feed = feed;
    }

    public boolean isNew() {
        String text = feed.next();
        if (text == null) {
            return false;
        }
        return LocalDateTime.parse(text).isAfter(LocalDateTime.of(2000, 1, 1, 0, 0));
    }
}
