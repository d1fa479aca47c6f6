package shop;

import java.io.IOException;

public interface Rates {
    double rate(String from, String to) throws IOException;
}
