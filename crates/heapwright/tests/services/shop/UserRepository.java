package shop;

import java.util.List;
import java.util.Optional;

public interface UserRepository {
    Optional<User> findByEmail(String email);
    Optional<User> findById(long id);
    User save(User user);
    void delete(User user);
    List<User> findAll();
}
