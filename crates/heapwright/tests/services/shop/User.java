package shop;

import java.util.Objects;

public class User {
    private Long id;
    private final String email;
    private final String name;
    private boolean active;

    public User(String email, String name, boolean active) {
        this.email = email;
        this.name = name;
        this.active = active;
    }

    public Long getId() { return id; }
    public void setId(Long id) { this.id = id; }
    public String getEmail() { return email; }
    public String getName() { return name; }
    public boolean isActive() { return active; }
    public void setActive(boolean active) { this.active = active; }
}
