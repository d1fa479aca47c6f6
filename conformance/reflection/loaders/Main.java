package reflection.loaders;

import java.lang.reflect.Array;

/** Class loaders of program classes, loading by name, packages. */
public final class Main {
    static class Quiet {
        static int loaded = say("Quiet initialised");
    }

    static class Loud {
        static int loaded = say("Loud initialised");
    }

    enum Colour { RED }

    private static int say(String s) {
        System.out.println(s);
        return 1;
    }

    public static void main(String[] args) throws Exception {
        ClassLoader mine = Main.class.getClassLoader();
        System.out.println((mine != null) + " " + mine.getName() + " " + mine.getParent().getName() + " " + mine.getParent().getParent());
        System.out.println((mine == ClassLoader.getSystemClassLoader()) + " " + (mine.getParent() == ClassLoader.getPlatformClassLoader()) + " " + (mine == Thread.currentThread().getContextClassLoader()));
        System.out.println(String.class.getClassLoader() + " " + int.class.getClassLoader() + " " + int[].class.getClassLoader() + " " + (Main[][].class.getClassLoader() == mine) + " " + (Colour.class.getClassLoader() == mine));
        Class<?> quiet = mine.loadClass("reflection.loaders.Main$Quiet");
        System.out.println(quiet.getName() + " " + (quiet == Quiet.class) + " " + (mine.loadClass("java.util.ArrayList") == java.util.ArrayList.class));
        Class<?> loud = Class.forName("reflection.loaders.Main$Loud", false, mine);
        System.out.println("found " + loud.getSimpleName());
        Class.forName("reflection.loaders.Main$Loud", true, mine);
        System.out.println(Class.forName("[Lreflection.loaders.Main;", true, mine) == Main[].class);
        for (String name : new String[] {"no.such.Type", "[Ljava.lang.String;", "int", ""}) {
            try {
                System.out.println(mine.loadClass(name));
            } catch (ClassNotFoundException e) {
                System.out.println("not found: " + e.getMessage());
            }
        }
        try {
            mine.getParent().loadClass("reflection.loaders.Main");
        } catch (ClassNotFoundException e) {
            System.out.println("not there: " + e.getMessage());
        }
        System.out.println(Main.class.getPackage() + " " + Main.class.getPackage().getName() + " " + Main.class.getPackageName() + " " + (Main.class.getPackage() == Quiet.class.getPackage()) + " " + Array.newInstance(Main.class, 0).getClass().getPackage());
        System.out.println(Main.class.getModule().isNamed() + " " + (Main.class.getModule() == mine.getUnnamedModule()) + " " + (Main.class.getModule().getClassLoader() == mine));
        System.out.println(mine.getClass().getSimpleName() + " " + Main.class.desiredAssertionStatus() + " " + mine.equals(mine));
        System.out.println(new Quiet().getClass().getClassLoader().loadClass("reflection.loaders.Main$Colour").getEnumConstants()[0]);
        ClassLoader own = new ClassLoader(mine) {
            @Override
            protected Class<?> findClass(String name) throws ClassNotFoundException {
                System.out.println("asked for " + name);
                throw new ClassNotFoundException(name);
            }
        };
        System.out.println(own.loadClass("reflection.loaders.Main") == Main.class);
        try {
            own.loadClass("not.here");
        } catch (ClassNotFoundException e) {
            System.out.println(e.getMessage());
        }
        for (ClassLoader loader = own; loader != null; loader = loader.getParent()) {
            System.out.println(loader.isRegisteredAsParallelCapable());
        }
        System.out.println(new Registered().isRegisteredAsParallelCapable());
    }

    static class Registered extends ClassLoader {
        static {
            System.out.println(registerAsParallelCapable());
        }
    }
}
