package library.settings;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Properties;
import java.util.TreeMap;

/** Properties: defaults, loading, storing, escapes. */
public class Main {
    public static void main(String[] args) throws Exception {
        Properties defaults = new Properties();
        defaults.setProperty("colour", "red");
        Properties own = new Properties(defaults);
        own.load(new StringReader("# comment\n! other\na=1\nb : two words\nc\\ d = e\\\n   f\n"
                + "empty=\nu=\\u0041\\t.\n  spaced   value "));
        System.out.println(new TreeMap<>(own));
        System.out.println(own.getProperty("colour") + own.get("colour") + own.getProperty("no", "none"));
        System.out.println(own.stringPropertyNames().contains("colour") + " " + own.size());
        StringWriter out = new StringWriter();
        Properties stored = new Properties();
        stored.setProperty("k e:y", " v=\u00e9\n!");
        stored.store(out, null);
        System.out.println(out.toString().lines().filter(line -> !line.startsWith("#")).toList());
        Properties again = new Properties();
        again.load(new StringReader(out.toString()));
        System.out.println(again.equals(stored));
        try {
            own.load(new StringReader("x=\\u00g1"));
        } catch (IllegalArgumentException thrown) {
            System.out.println("malformed");
        }
        System.out.println(own.entrySet().stream().map(e -> e.getKey().toString()).sorted().toList());
        own.remove("a");
        own.replaceAll((key, value) -> value.toString().toUpperCase());
        System.out.println(own.getProperty("b") + own.containsKey("a"));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        stored.storeToXML(bytes, null, StandardCharsets.UTF_8);
        Properties parsed = new Properties();
        parsed.loadFromXML(new ByteArrayInputStream(bytes.toByteArray()));
        System.out.println(parsed.equals(stored));
    }
}
