package heapwright.trial;

import java.util.ArrayList;
import java.util.List;

/** What a test notes while it runs, for whoever has asked for its run. */
public final class Notes {
    private static final List<String> FACTS = new ArrayList<>();

    private Notes() {}

    /** Notes a fact, which is some texts. */
    public static synchronized void add(String... fields) {
        StringBuilder fact = new StringBuilder("noted");
        for (String field : fields) {
            String escaped = field.replace("\\", "\\\\")
                    .replace("\t", "\\t")
                    .replace("\n", "\\n")
                    .replace("\r", "\\r");
            fact.append('\t').append(escaped);
        }
        FACTS.add(fact.toString());
    }

    /** Takes the lines of all facts since the last call. */
    static synchronized List<String> take() {
        List<String> facts = List.copyOf(FACTS);
        FACTS.clear();
        return facts;
    }
}
