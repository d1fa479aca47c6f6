package vet;

public record NewPet(String name, Species species) {
}
