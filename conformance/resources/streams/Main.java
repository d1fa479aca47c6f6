package resources.streams;

import java.io.*;
import java.net.*;
import java.util.Collections;

public class Main {
    public static void main(String[] args) throws IOException {
        try (InputStream in = Main.class.getResourceAsStream("Main.class")) {
            System.out.println(Integer.toHexString(new DataInputStream(in).readInt()));
        }
        String path = Main.class.getName().replace('.', '/') + ".class";
        URL url = Main.class.getClassLoader().getResource(path);
        System.out.println(url.getPath().endsWith(path) + " " + url.openStream().readAllBytes().length);
        System.out.println(url.openConnection().getContentLength() > 500);
        System.out.println(Collections.list(Main.class.getClassLoader().getResources(path)).size());
        System.out.println(ClassLoader.getSystemResource(path) != null);
        System.out.println(Main.class.getResource("none") + " " + Main.class.getResourceAsStream("/none/such"));
        System.out.println(Object.class.getResource("Object.class"));
        System.out.println(Integer.toHexString(new DataInputStream(
            Object.class.getResourceAsStream("Object.class")).readInt()));
        System.out.println(ClassLoader.getSystemClassLoader().getResourceAsStream("java/lang/String.class") != null);
        System.out.println(Main.class.getModule().getResourceAsStream("none"));
        URL other = new URL("file:/a/b?query#part");
        System.out.println(other.getProtocol() + " " + other.getPath() + " " + other.getQuery() + " " + other.getRef());
        try {
            new URL("none:/x");
        } catch (MalformedURLException e) {
            System.out.println(e.getMessage());
        }
    }
}
