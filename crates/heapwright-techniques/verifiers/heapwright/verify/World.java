package heapwright.verify;

import java.io.IOException;
import java.net.InetAddress;
import java.net.SocketImpl;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * What a program reads from outside, as inputs. The engine calls these methods in place of those of the JDK that have
 * the same names, if the world is open.
 */
final class World {
    /** Whether bytes of standard input were read, which decoders may have buffered. */
    static boolean hasGivenConsoleBytes;

    private World() {
    }

    /** Value of an environment variable; the same at each call. */
    static String getenv(String name) {
        Objects.requireNonNull(name);
        List<String> names = Environment.NAMES;
        for (int i = 0; i < names.size(); i++) {
            if (names.get(i).equals(name)) {
                return Environment.VALUES.get(i);
            }
        }
        String value = null;
        if (Inputs.nextBoolean("$" + name + " is set")) {
            value = variable(Inputs.nextString("$" + name));
        }
        names.add(name);
        Environment.VALUES.add(value);
        return value;
    }

    /** Leaves out what no environment variable can hold; only once somebody looks at the characters. */
    static String variable(String value) {
        Inputs.assume(value.indexOf('\0') < 0);
        return value;
    }

    /** Leaves out what no line can hold, likewise. */
    static String line(String text) {
        Inputs.assume(text.indexOf('\n') < 0);
        Inputs.assume(text.indexOf('\r') < 0);
        return text;
    }

    static long currentTimeMillis() {
        long time = Inputs.nextLong("System.currentTimeMillis()");
        Inputs.assume(time >= 0);
        return time;
    }

    /** Any time that is not before that of the last call. */
    static long nanoTime() {
        long time = Inputs.nextLong("System.nanoTime()");
        if (Clock.isRead) {
            Inputs.assume(time - Clock.nanos >= 0);
        }
        Clock.isRead = true;
        Clock.nanos = time;
        return time;
    }

    /** One of the values that {@code Math.random} can return. */
    static double random() {
        long bits = Inputs.nextLong("Math.random() << 53");
        Inputs.assume(bits >= 0);
        Inputs.assume(bits < 1L << 53);
        return bits * 0x1.0p-53;
    }

    /** Reads a line of standard input, through a reader that has buffered nothing. */
    static String readConsoleLine(Object reader) throws IOException {
        return Console.STREAM.readLine();
    }

    static int readConsole(Object stream) throws IOException {
        hasGivenConsoleBytes = true;
        return Console.STREAM.read();
    }

    static int readConsole(Object stream, byte[] bytes, int start, int length) throws IOException {
        hasGivenConsoleBytes = true;
        return Console.STREAM.read(bytes, start, length);
    }

    static int available(Object stream) throws IOException {
        return Console.STREAM.available();
    }

    /** First address of a host, in a network without IPv6. */
    static InetAddress getByName(String host) throws UnknownHostException {
        if (host == null || host.isEmpty()) {
            return InetAddress.getLoopbackAddress();
        }
        if (host.indexOf(':') >= 0 || host.charAt(0) <= '9') {
            // No name is looked up for an address.
            return InetAddress.getAllByName(host)[0];
        }
        if (Inputs.nextBoolean(host + " is unknown")) {
            throw new UnknownHostException(host + ": Name or service not known");
        }
        int address = Inputs.nextInt("IPv4 address of " + host);
        byte[] bytes = {(byte) (address >> 24), (byte) (address >> 16), (byte) (address >> 8), (byte) address};
        return InetAddress.getByAddress(host, bytes);
    }

    static SocketImpl createPlatformSocketImpl(boolean isServer) {
        if (isServer) {
            serverSocket();
        }
        return new OpenSocket();
    }

    /** Refused: connections of others are not modelled. */
    private static native void serverSocket();

    private static final class Clock {
        static boolean isRead;
        static long nanos;
    }

    private static final class Environment {
        static final List<String> NAMES = new ArrayList<>();
        static final List<String> VALUES = new ArrayList<>();
    }

    private static final class Console {
        static final OpenStream STREAM = new OpenStream("System.in");
    }
}
