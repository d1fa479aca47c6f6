package library.views;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;

/** Buffers of every kind: views, slices, marks, order. */
public class Main {
    public static void main(String[] args) {
        ByteBuffer bytes = ByteBuffer.allocateDirect(32);
        bytes.putShort((short) -2).putChar('x').putFloat(1.5f).putDouble(-0.25);
        System.out.println(bytes + " " + bytes.order());
        bytes.flip();
        System.out.println(bytes.getShort() + " " + bytes.getChar() + " " + bytes.getFloat() + " "
                + bytes.getDouble() + " " + bytes.hasRemaining());
        bytes.clear().order(ByteOrder.LITTLE_ENDIAN).putInt(0, 0x01020304);
        System.out.println(bytes.get(0) + " " + bytes.getInt(0));
        IntBuffer ints = ByteBuffer.allocate(12).asIntBuffer().put(new int[] {1, 2, 3});
        System.out.println(ints.flip() + " " + ints.get(2));
        LongBuffer longs = LongBuffer.wrap(new long[] {5, 6, 7, 8}, 1, 2);
        System.out.println(longs.get() + " " + longs.slice().get(0) + " " + longs.remaining());
        CharBuffer chars = CharBuffer.wrap("some text");
        chars.position(2).mark().position(5).reset();
        System.out.println(chars + "|" + chars.subSequence(0, 2) + "|" + chars.isReadOnly());
        ByteBuffer part = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5}).slice(1, 3);
        System.out.println(part.get(0) + " " + part.capacity() + " " + part.arrayOffset() + " "
                + part.duplicate().compact().position());
        System.out.println(part.compareTo(ByteBuffer.wrap(new byte[] {2, 3, 5})) + " "
                + part.mismatch(ByteBuffer.wrap(new byte[] {2, 9})) + " " + part.equals(part.duplicate()));
        for (Runnable attempt : new Runnable[] {() -> ByteBuffer.allocate(1).putInt(1),
                () -> ByteBuffer.wrap(new byte[0]).get(), () -> ints.asReadOnlyBuffer().put(1),
                () -> chars.position(99), () -> ByteBuffer.allocate(2).reset()}) {
            try {
                attempt.run();
            } catch (RuntimeException thrown) {
                System.out.println(thrown.getClass().getSimpleName());
            }
        }
    }
}
