package reflection.layers;

import java.lang.module.Configuration;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.lang.module.ModuleReader;
import java.lang.module.ModuleReference;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/** The boot layer, and a layer with a module that the program makes. */
public final class Main {
    public static class Greeter {
        public String greet() {
            return "greetings from " + getClass().getModule();
        }
    }

    /** A module whose only class is a nested one of this program. */
    static class Made extends ModuleReference {
        Made(ModuleDescriptor descriptor) {
            super(descriptor, URI.create("made:" + descriptor.name()));
        }

        @Override
        public ModuleReader open() {
            return new ModuleReader() {
                @Override
                public Optional<URI> find(String name) {
                    return Optional.empty();
                }

                @Override
                public Optional<InputStream> open(String name) {
                    return Optional.ofNullable(name.endsWith("Greeter.class") ? Main.class.getResourceAsStream("Main$Greeter.class") : null);
                }

                @Override
                public Stream<String> list() {
                    return Stream.of("reflection/layers/Main$Greeter.class");
                }

                @Override
                public void close() {
                }
            };
        }
    }

    public static void main(String[] args) throws Exception {
        ModuleLayer boot = ModuleLayer.boot();
        Module base = Object.class.getModule();
        System.out.println((boot.findModule("java.base").get() == base) + " " + boot.modules().contains(base) + " " + (boot.modules().size() > 20));
        System.out.println(base.getLayer() == boot);
        System.out.println(base.getDescriptor().name() + " " + base.getDescriptor().isOpen() + " " + base.getDescriptor().packages().contains("java.util"));
        System.out.println(base.getPackages().contains("java.lang") + " " + boot.parents() + " " + boot.findModule("no.such").isPresent());
        Set<String> reads = new TreeSet<>();
        boot.configuration().findModule("java.logging").get().reads().forEach(read -> reads.add(read.name()));
        System.out.println(reads);
        System.out.println(boot.findModule("java.logging").get().getDescriptor().exports().iterator().next().source());
        System.out.println(Main.class.getModule().getLayer() + " " + Main.class.getModule().getDescriptor() + " " + ModuleLayer.empty().modules());
        ModuleDescriptor descriptor = ModuleDescriptor.newModule("made.here").requires("java.base").packages(Set.of("reflection.layers")).build();
        ModuleFinder finder = new ModuleFinder() {
            @Override
            public Optional<ModuleReference> find(String name) {
                return name.equals("made.here") ? Optional.of(new Made(descriptor)) : Optional.empty();
            }

            @Override
            public Set<ModuleReference> findAll() {
                return Set.of(new Made(descriptor));
            }
        };
        Configuration configuration = boot.configuration().resolve(finder, ModuleFinder.of(), List.of("made.here"));
        ModuleLayer layer = boot.defineModulesWithOneLoader(configuration, ClassLoader.getSystemClassLoader());
        System.out.println(layer + " " + layer.parents().contains(boot));
        Module made = layer.findModule("made.here").get();
        System.out.println(made + " " + made.isNamed() + " " + made.getLayer().equals(layer) + " " + made.getDescriptor().equals(descriptor) + " " + made.canRead(base));
        System.out.println(made.isExported("reflection.layers") + " " + made.isOpen("reflection.layers", base) + " " + made.getPackages());
        Class<?> greeter = Class.forName(made, "reflection.layers.Main$Greeter");
        System.out.println(greeter.getModule() + " " + (greeter == Greeter.class) + " " + greeter.getClassLoader().equals(layer.findLoader("made.here")));
        System.out.println(Class.forName(made, "reflection.layers.Main$Other"));
        try {
            boot.configuration().resolve(ModuleFinder.of(), ModuleFinder.of(), List.of("not.there"));
        } catch (java.lang.module.FindException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(new Greeter().greet().startsWith("greetings from unnamed module"));
    }
}
