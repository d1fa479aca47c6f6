package shop;

public interface Stock {
    int available(String sku);
    boolean reserve(String sku, int quantity);
    void release(String sku, int quantity);
}
