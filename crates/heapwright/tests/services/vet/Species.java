package vet;

public enum Species {
    CAT,
    DOG
}
