package reflection.domains;

import java.net.URL;
import java.security.ProtectionDomain;

/** Where classes come from. */
public class Main {
    public static void main(String[] args) throws Exception {
        ProtectionDomain own = Main.class.getProtectionDomain();
        URL place = own.getCodeSource().getLocation();
        System.out.println(place.getProtocol() + " " + place.getPath().endsWith("/"));
        System.out.println(own == Main.class.getProtectionDomain());
        System.out.println(own.getClassLoader() == Main.class.getClassLoader());
        System.out.println(own.getCodeSource().getCodeSigners() == null);
        System.out.println(String.class.getProtectionDomain().getCodeSource() == null);
        System.out.println(Main.class.getResource("Main.class").toString()
                .startsWith(place.toString()));
        System.out.println(Main.class.getModule().isNamed() + " " + String.class.getModule());
        System.out.println(ModuleLayer.boot().findModule("java.base").get() == String.class.getModule());
        System.out.println(ModuleLayer.boot().findModule("no.such.module").isPresent());
        System.out.println(ModuleLayer.boot() == ModuleLayer.boot());
    }
}
