package shop;

/** A service whose dependencies and settings a container puts into fields, some of a superclass. */
public class Reminders extends Scheduled {
    @Injected private UserRepository users;
    @Injected private Mailer mailer;
    @Injected private int most;
    private long last;

    /** Reminds users that are not active, once a minute and no more than allowed; returns how many. */
    public int remind() {
        if (!isDue(last)) {
            return 0;
        }
        int sent = 0;
        for (User user : users.findAll()) {
            if (!user.isActive() && sent < most) {
                mailer.send(user.getEmail(), "Reminder", "Dear " + user.getName());
                sent++;
            }
        }
        last += 60;
        return sent;
    }

    /** Removes the user with a number; whether there is one. */
    public boolean forget(long id) {
        return users.findById(id).map(user -> {
            users.delete(user);
            return true;
        }).orElse(false);
    }
}
