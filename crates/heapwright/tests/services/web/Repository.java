package web;

import java.util.List;
import java.util.Optional;

/** A store of entities. */
public interface Repository<T, ID> {
    Optional<T> findById(ID id);

    List<T> findAll();

    <S extends T> S save(S entity);

    void deleteById(ID id);

    boolean existsById(ID id);

    long count();
}
