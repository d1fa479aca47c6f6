package resources.services;

import java.nio.charset.Charset;
import java.nio.file.spi.FileSystemProvider;
import java.util.*;

public class Main {
    public static void main(String[] args) {
        System.out.println(ServiceLoader.load(Runnable.class).findFirst().isPresent());
        ServiceLoader<FileSystemProvider> systems = ServiceLoader.load(FileSystemProvider.class);
        Set<String> schemes = new TreeSet<>();
        for (FileSystemProvider system : systems) {
            schemes.add(system.getScheme());
        }
        System.out.println(schemes.contains("jar"));
        System.out.println(systems.stream().anyMatch(provider -> provider.type().getName().contains("Zip")));
        systems.reload();
        System.out.println(systems.iterator().hasNext());
        Iterator<Main> none = ServiceLoader.load(Main.class, null).iterator();
        try {
            none.next();
        } catch (NoSuchElementException e) {
            System.out.println("no provider");
        }
        for (String name : List.of("UTF-16", "ISO-8859-15", "windows-1252", "Shift_JIS", "IBM037", "GB18030")) {
            Charset charset = Charset.forName(name);
            byte[] bytes = "A\u20ac".getBytes(charset);
            StringBuilder text = new StringBuilder(charset.name());
            for (byte part : bytes) {
                text.append(' ').append(part);
            }
            System.out.println(text + " " + new String(bytes, charset).length());
        }
        System.out.println(Charset.isSupported("x-none") + " " + Charset.availableCharsets().containsKey("Big5"));
    }
}
