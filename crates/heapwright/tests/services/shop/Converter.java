package shop;

import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

public class Converter {
    private final Rates rates;
    private final Map<String, Double> known = new HashMap<>();

    public Converter(Rates rates) {
        this.rates = rates;
    }

    public long convert(long cents, String from, String to) {
        if (from.equals(to)) {
            return cents;
        }
        String key = from + "-" + to;
        Double rate = known.get(key);
        if (rate == null) {
            try {
                rate = rates.rate(from, to);
            } catch (IOException down) {
                throw new IllegalStateException("no rate for " + key, down);
            }
            known.put(key, rate);
        }
        return Math.round(cents * rate);
    }
}
