package shop;

public class Registration {
    private final UserRepository users;
    private final Mailer mailer;

    public Registration(UserRepository users, Mailer mailer) {
        this.users = users;
        this.mailer = mailer;
    }

    public User register(String email, String name) {
        if (email == null || !email.contains("@")) {
            throw new IllegalArgumentException("no address: " + email);
        }
        if (users.findByEmail(email).isPresent()) {
            throw new IllegalStateException("taken");
        }
        User user = new User(email, name, true);
        users.save(user);
        mailer.send(email, "Welcome", "Hello " + name);
        return user;
    }

    public boolean deactivate(long id) {
        User user = users.findById(id).orElse(null);
        if (user == null) {
            return false;
        }
        user.setActive(false);
        users.save(user);
        return true;
    }

    public int purge() {
        int purged = 0;
        for (User user : users.findAll()) {
            if (!user.isActive()) {
                users.delete(user);
                purged++;
            }
        }
        if (purged > 0) {
            mailer.send("admin@shop", "Purged", purged + " users");
        }
        return purged;
    }
}
