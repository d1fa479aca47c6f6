package vet;

import java.net.URI;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

@RestController
@RequestMapping("/pets")
public class PetController {
    private final Pets pets;

    public PetController(Pets pets) {
        this.pets = pets;
    }

    @GetMapping("/{id}")
    public Pet get(@PathVariable long id) {
        return pets.findById(id).orElseThrow(() -> new ResponseStatusException(HttpStatus.NOT_FOUND, "No pet " + id));
    }

    @GetMapping
    public List<String> names(@RequestParam String owner, @RequestParam(defaultValue = "false") boolean upper) {
        return pets.findByOwner(owner).stream()
                .map(Pet::name)
                .map(name -> upper ? name.toUpperCase() : name)
                .toList();
    }

    @PostMapping
    public ResponseEntity<Pet> create(@RequestBody NewPet pet) {
        if (pet.name() == null || pet.name().isBlank()) {
            return ResponseEntity.badRequest().build();
        }
        Pet saved = pets.save(pet);
        return ResponseEntity.created(URI.create("/pets/" + saved.id())).body(saved);
    }

    @DeleteMapping("/{id}")
    @ResponseStatus(HttpStatus.NO_CONTENT)
    public void delete(@PathVariable("id") long id, @RequestHeader("X-Reason") String reason) {
        if (reason.isEmpty()) {
            throw new IllegalArgumentException("a reason is needed");
        }
        pets.delete(id);
    }
}
