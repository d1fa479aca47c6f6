package vet;

import java.util.List;
import java.util.Optional;

public interface Pets {
    Optional<Pet> findById(long id);

    List<Pet> findByOwner(String owner);

    Pet save(NewPet pet);

    void delete(long id);
}
