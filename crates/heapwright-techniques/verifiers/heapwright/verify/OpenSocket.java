package heapwright.verify;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NoRouteToHostException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketImpl;
import java.net.SocketOptions;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/** Client's side of a connection to anybody: what is received is open. */
final class OpenSocket extends SocketImpl {
    private final OpenStream received = new Received();
    private final Map<Integer, Object> options = new HashMap<>();

    @Override
    protected void create(boolean isStream) {
    }

    @Override
    protected void connect(String host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(InetAddress host, int port) throws IOException {
        connect(new InetSocketAddress(host, port), 0);
    }

    @Override
    protected void connect(SocketAddress endpoint, int timeout) throws IOException {
        if (!(endpoint instanceof InetSocketAddress)) {
            throw new IllegalArgumentException("Unsupported address type");
        }
        InetSocketAddress place = (InetSocketAddress) endpoint;
        if (place.isUnresolved()) {
            throw new UnknownHostException(place.getHostName());
        }
        if (Inputs.nextBoolean("connection is refused")) {
            throw new ConnectException("Connection refused");
        }
        if (Inputs.nextBoolean("host is unreachable")) {
            throw new NoRouteToHostException("No route to host");
        }
        if (timeout > 0 && Inputs.nextBoolean("connection times out")) {
            throw new SocketTimeoutException("Connect timed out");
        }
        address = place.getAddress();
        port = place.getPort();
        if (localport == 0) {
            localport = Inputs.nextChar("local port");
            Inputs.assume(localport > 0);
        }
    }

    @Override
    protected void bind(InetAddress host, int port) {
        localport = port;
    }

    /** Refused: connections of others are not modelled. */
    @Override
    protected native void listen(int backlog);

    /** Refused, as {@link #listen}. */
    @Override
    protected native void accept(SocketImpl socket);

    @Override
    protected InputStream getInputStream() {
        return received;
    }

    @Override
    protected OutputStream getOutputStream() {
        return new Sent();
    }

    @Override
    protected int available() throws IOException {
        return received.available();
    }

    @Override
    protected void close() throws IOException {
        received.close();
    }

    /** Refused: no stream ends by itself here. */
    @Override
    protected native void shutdownInput();

    @Override
    protected void shutdownOutput() {
    }

    @Override
    protected void sendUrgentData(int data) throws IOException {
        received.fail();
    }

    @Override
    public void setOption(int option, Object value) {
        options.put(option, value);
    }

    @Override
    public Object getOption(int option) {
        Object value = options.get(option);
        if (value == null && option == SocketOptions.SO_TIMEOUT) {
            return 0;
        }
        return value != null ? value : unknownOption();
    }

    /** Refused: an option that the system has set. */
    private static native Object unknownOption();

    private final class Received extends OpenStream {
        Received() {
            super("socket");
        }

        @Override
        IOException closed() {
            return new SocketException("Socket closed");
        }

        @Override
        void fail() throws IOException {
            if (Inputs.nextBoolean("connection is reset")) {
                throw new SocketException("Connection reset");
            }
            Object timeout = options.get(SocketOptions.SO_TIMEOUT);
            if (timeout != null && (Integer) timeout > 0 && Inputs.nextBoolean("read times out")) {
                throw new SocketTimeoutException("Read timed out");
            }
        }
    }

    /** Accepts what is sent. */
    private final class Sent extends OutputStream {
        @Override
        public void write(int value) throws IOException {
            received.fail();
        }

        @Override
        public void write(byte[] bytes, int start, int length) throws IOException {
            Objects.checkFromIndexSize(start, length, bytes.length);
            received.fail();
        }
    }
}
