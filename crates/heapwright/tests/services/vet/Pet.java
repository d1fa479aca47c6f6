package vet;

import java.time.LocalDate;

public record Pet(long id, String name, Species species, LocalDate born) {
}
