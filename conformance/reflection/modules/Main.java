package reflection.modules;

import java.util.List;
import java.util.Map;

/** Modules and packages of the program's classes and of the JDK's. */
public class Main {
    private static final class Inner {
    }

    public static void main(String[] args) {
        Module own = Main.class.getModule();
        Module base = String.class.getModule();
        System.out.println(own.isNamed() + " " + own.getName() + " " + own.getDescriptor() + " " + own.getLayer());
        System.out.println(base.isNamed() + " " + base.getName() + " " + base);
        System.out.println(base == List.class.getModule());
        System.out.println(base == int.class.getModule());
        System.out.println(base == String[][].class.getModule());
        System.out.println(own == Main[].class.getModule());
        System.out.println(own == Inner.class.getModule());
        System.out.println(own == Main.class.getClassLoader().getUnnamedModule());
        System.out.println(java.util.logging.Level.class.getModule());
        for (String name : new String[] {"java.lang", "java.util", "jdk.internal.misc", "sun.security.util", "no"}) {
            System.out.println(name + " " + base.isExported(name) + " " + base.isExported(name, own) + " "
                + base.isOpen(name) + " " + base.isOpen(name, own));
        }
        System.out.println(own.isExported("any") + " " + own.isOpen("any", base));
        System.out.println(own.canRead(base) + " " + base.canRead(base));
        System.out.println(own.addReads(base) == own);
        try {
            base.addOpens("java.lang", own);
        } catch (IllegalCallerException refused) {
            System.out.println(refused.getMessage().replaceAll("@[0-9a-f]+", "@"));
        }
        Class<?>[] classes = {Main.class, Inner.class, String.class, Map.Entry.class, int.class, Object[].class};
        for (Class<?> type : classes) {
            Package its = type.getPackage();
            System.out.println(type.getPackageName() + " " + its + " " + (its == null ? null : its.getName()));
            System.out.println(its == null ? null : its.getImplementationVersion() + " " + its.isSealed());
        }
        System.out.println(String.class.getPackage() == Object.class.getPackage());
        System.out.println(Main.class.getPackage() == Inner.class.getPackage());
        System.out.println(String.class.getProtectionDomain().getCodeSource());
        Runnable lambda = () -> { };
        System.out.println(lambda.getClass().isHidden() + " " + lambda.getClass().isSynthetic() + " "
            + Main.class.isHidden() + " " + lambda.getClass().getDeclaredMethods()[0].getName());
    }
}
