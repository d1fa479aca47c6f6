package shop;

public interface Ticker {
    long now();
}
