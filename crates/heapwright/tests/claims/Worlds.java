package claims;

import java.io.File;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TimeZone;
import java.util.WeakHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Methods that return 1 in some worlds only. Behind each is the word with which `paths` answers for
 * that branch, and the verdict of `verify` on a program that asserts 0. Add a case as a method.
 */
public class Worlds {
    public static int clock() { if (System.currentTimeMillis() < 1_600_000_000_000L) return 1; return 0; } // the clock | false
    public static int date() { if (LocalDate.now().getYear() < 2021) return 0; return 1; } // the clock | unknown
    public static int identity() { if (new Object().hashCode() % 2 == 0) return 0; return 1; } // identity hash codes | unknown
    public static int twoIdentities() { Object a = new Object(), b = new Object(); if (a.hashCode() > b.hashCode()) return 0; return 1; } // identity hash codes | unknown
    public static int identityOrder() { Set<Object> set = new HashSet<>(); Object a = new Object(); set.add(a); set.add(new Object()); if (set.iterator().next() != a) return 1; return 0; } // identity hash codes | unknown
    public static int identityPlaces() { Map<Object, Integer> map = new HashMap<>(); Object a = new Object(); map.put(a, 1); map.put(new Object(), 2); if (map.get(a) != 1) return 1; return 0; } // proved | true
    public static int random() { if (Math.random() < 0.001) return 1; return 0; } // seeds of random numbers | false
    public static int newRandom() { if (new Random().nextInt(100) == 7) return 1; return 0; } // the clock | false
    public static int localRandom() { if (ThreadLocalRandom.current().nextInt(100) == 7) return 1; return 0; } // seeds of random numbers | unknown
    public static int seeded() { if (new Random(5).nextInt(10) == new Random(5).nextInt(10)) return 0; return 1; } // proved | true
    public static int processors() { if (Runtime.getRuntime().availableProcessors() > 1) return 1; return 0; } // the number of processors | unknown
    public static int memory() { if (Runtime.getRuntime().maxMemory() > (8L << 30)) return 1; return 0; } // the size of the memory | unknown
    public static int disk() { if (new File("/tmp").getTotalSpace() != 0) return 1; return 0; } // files | unknown
    public static int folder() { if (!System.getProperty("user.dir").equals("/")) return 1; return 0; } // system properties | unknown
    public static int absolute() { if (!new File("a").getAbsolutePath().equals("/a")) return 1; return 0; } // system properties | unknown
    public static int user() { if (!System.getProperty("user.name").equals("user")) return 1; return 0; } // system properties | unknown
    public static int property() { if (Boolean.getBoolean("claims.debug")) return 1; return 0; } // system properties | unknown
    public static int separator() { if (File.separatorChar == '\\') return 1; return 0; } // system properties | unknown
    public static int lineEnd() { if (System.lineSeparator().length() == 2) return 1; return 0; } // system properties | unknown
    public static int version() { if (Runtime.version().feature() > 99) return 1; return 0; } // the version of Java | unknown
    public static int environment() { if (System.getenv("HOME") != null) return 1; return 0; } // environment variables | false
    public static int locale() { if (Locale.getDefault().getLanguage().equals("tr")) return 1; return 0; } // the default locale | true
    public static int lowerCase() { if ("TITLE".toLowerCase().equals("t\u0131tle")) return 1; return 0; } // the default locale | true
    public static int sameInAll() { if ("ABC".toLowerCase().equals("abc")) return 0; return 1; } // proved | true
    public static int rootLocale() { if ("TITLE".toLowerCase(Locale.ROOT).equals("title")) return 0; return 1; } // proved | true
    public static int format() { if (String.format("%.1f", 1.5).equals("1,5")) return 1; return 0; } // the default locale | true
    public static int formatText() { if (String.format("%s-%s", "a", "b").equals("a-b")) return 0; return 1; } // proved | true
    public static int zone() { if (TimeZone.getDefault().getRawOffset() != 0) return 1; return 0; } // the default time zone | true
    public static int zoneId() { if (!ZoneId.systemDefault().getId().equals("UTC")) return 1; return 0; } // the default time zone | true
    public static int charset() { if (Charset.defaultCharset() != StandardCharsets.UTF_8) return 1; return 0; } // the default charset | true
    public static int bytes() { if ("\u00e9".getBytes().length == 1) return 1; return 0; } // the default charset | true
    public static int plainBytes() { if ("e".getBytes().length == 2) return 1; return 0; } // proved | true
    public static int setOrder() { if (Set.of(1, 2, 3).iterator().next() == 2) return 1; return 0; } // the order of immutable sets and maps | unknown
    public static int pairOrder() { if ((Integer) Set.of(1, 2).toArray()[0] == 2) return 1; return 0; } // the order of immutable sets and maps | unknown
    public static int listOrder() { if (List.of(1, 2).iterator().next() == 2) return 1; return 0; } // proved | true
    public static int members() { if (Two.class.getDeclaredMethods()[0].getName().equals("b")) return 1; return 0; } // the order of members | unknown
    public static int weak() { if (new WeakReference<>(new Object()).get() == null) return 1; return 0; } // garbage collection | unknown
    public static int queue() { ReferenceQueue<Object> queue = new ReferenceQueue<>(); new PhantomReference<>(new Object(), queue); if (queue.poll() != null) return 1; return 0; } // garbage collection | unknown
    public static int weakMap() { Map<Object, Integer> map = new WeakHashMap<>(); map.put(new Object(), 1); if (map.isEmpty()) return 1; return 0; } // garbage collection | unknown
    public static int depth() { try { deep(5_000); } catch (StackOverflowError error) { return 1; } return 0; } // - | unknown
    public static int shallow() { try { deep(50); } catch (StackOverflowError error) { return 1; } return 0; } // - | true
    static int deep(int n) { long a = n, b = a * 2, c = a * 3; return n == 0 ? (int) (a + b + c) : deep(n - 1) + 1; }
    public static int message(int[] array) { try { return array[4] * 0; } catch (NullPointerException caught) { if (caught.getMessage() == null) return 1; return 0; } } // messages and traces of exceptions | -
    public static int ownMessage() { try { throw new IllegalStateException("a"); } catch (IllegalStateException caught) { if (caught.getMessage() == null) return 1; return 0; } } // proved | true
    public static int callers() { if (new Exception().getStackTrace().length > 5) return 1; return 0; } // the callers | true
    public static int interrupted() { if (Thread.interrupted()) return 1; return 0; } // the state of the thread | true
    public static int threadName() { if (Thread.currentThread().getName().equals("x")) return 1; return 0; } // the state of the thread | true
    public static int holds() { if (Thread.holdsLock(Worlds.class)) return 1; return 0; } // the state of the thread | true
    public static int loader() { if (Worlds.class.getClassLoader() != ClassLoader.getSystemClassLoader()) return 1; return 0; } // class loaders | unknown
    public static int assertions() { if (Worlds.class.desiredAssertionStatus()) return 0; return 1; } // the switch for assertions | unknown
    public static int console() { if (System.console() != null) return 1; return 0; } // standard input | unknown
    public static int output() { if (System.out.checkError()) return 1; return 0; } // the state of standard output | unknown
    public static int nanBits() { if (Float.floatToRawIntBits(Float.intBitsToFloat(0x7fc00000)) == 0x7fc00000) return 0; return 1; } // proved | true
    public static int openBits(float f) { if (f != f && Float.floatToRawIntBits(f) != 0x7fc00000) return 1; return 0; } // the bits of a NaN | -
    public static int readBehind(int x) { if (x != x) return 1; return (int) System.currentTimeMillis() * 0; } // proved | -
    public static int passedOn() { if (started() < 0) return 1; return 0; } // the clock | false
    static long started() { return System.currentTimeMillis() - (1L << 41); }
    public static int initialized() { if (Started.AT > 0) return 0; return 1; } // the clock | false

    static class Two { void a() {} void b() {} }
    static class Started { static final long AT = System.currentTimeMillis(); }

    static int call(String name) throws ReflectiveOperationException {
        switch (name) {
            case "clock": return clock();
            case "date": return date();
            case "identity": return identity();
            case "twoIdentities": return twoIdentities();
            case "identityOrder": return identityOrder();
            case "identityPlaces": return identityPlaces();
            case "random": return random();
            case "newRandom": return newRandom();
            case "localRandom": return localRandom();
            case "seeded": return seeded();
            case "processors": return processors();
            case "memory": return memory();
            case "disk": return disk();
            case "folder": return folder();
            case "absolute": return absolute();
            case "user": return user();
            case "property": return property();
            case "separator": return separator();
            case "lineEnd": return lineEnd();
            case "version": return version();
            case "environment": return environment();
            case "locale": return locale();
            case "lowerCase": return lowerCase();
            case "sameInAll": return sameInAll();
            case "rootLocale": return rootLocale();
            case "format": return format();
            case "formatText": return formatText();
            case "zone": return zone();
            case "zoneId": return zoneId();
            case "charset": return charset();
            case "bytes": return bytes();
            case "plainBytes": return plainBytes();
            case "setOrder": return setOrder();
            case "pairOrder": return pairOrder();
            case "listOrder": return listOrder();
            case "members": return members();
            case "weak": return weak();
            case "queue": return queue();
            case "weakMap": return weakMap();
            case "depth": return depth();
            case "shallow": return shallow();
            case "ownMessage": return ownMessage();
            case "callers": return callers();
            case "interrupted": return interrupted();
            case "threadName": return threadName();
            case "holds": return holds();
            case "loader": return loader();
            case "assertions": return assertions();
            case "console": return console();
            case "output": return output();
            case "nanBits": return nanBits();
            case "passedOn": return passedOn();
            case "initialized": return initialized();
            default: throw new IllegalArgumentException(name);
        }
    }

    public static void main(String[] names) throws ReflectiveOperationException {
        for (String name : names) {
            assert call(name) == 0 : name;
        }
    }

    /** Prints what the methods return on a JVM. */
    static class Print {
        public static void main(String[] names) throws ReflectiveOperationException {
            for (String name : names) {
                System.out.println(name + " " + call(name));
            }
        }
    }
}
