package heapwright.verify;

import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;

/** Stream of any bytes, or of any lines, that may end or fail at any time. */
class OpenStream extends InputStream {
    private final String name;
    /** Whether bytes were read; lines cannot then be read without looking at the bytes that are buffered. */
    boolean hasGivenBytes;
    private boolean isAtEnd;
    private boolean isClosed;

    OpenStream(String name) {
        this.name = name;
    }

    @Override
    public int read() throws IOException {
        mayFail();
        if (isAtEnd || Inputs.nextBoolean(name + " ends")) {
            isAtEnd = true;
            return -1;
        }
        hasGivenBytes = true;
        return Inputs.nextByte("byte of " + name) & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int start, int length) throws IOException {
        Objects.checkFromIndexSize(start, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        int first = read();
        if (first < 0) {
            return -1;
        }
        bytes[start] = (byte) first;
        int count = 1;
        while (count < length && Inputs.nextBoolean(name + " has more bytes")) {
            bytes[start + count] = Inputs.nextByte("byte of " + name);
            count++;
        }
        return count;
    }

    /** Reads a line without its end; null at the end of the stream. */
    String readLine() throws IOException {
        mayFail();
        if (isAtEnd || Inputs.nextBoolean(name + " ends")) {
            isAtEnd = true;
            return null;
        }
        return World.line(Inputs.nextString("line of " + name));
    }

    @Override
    public int available() throws IOException {
        mayFail();
        int available = Inputs.nextInt("bytes available of " + name);
        Inputs.assume(available >= 0);
        return available;
    }

    @Override
    public void close() throws IOException {
        isClosed = true;
    }

    private void mayFail() throws IOException {
        if (isClosed) {
            throw closed();
        }
        fail();
    }

    IOException closed() {
        return new IOException("Stream closed");
    }

    /** Throws an exception for some inputs. */
    void fail() throws IOException {
        if (Inputs.nextBoolean(name + " fails")) {
            throw new IOException("Input/output error");
        }
    }
}
