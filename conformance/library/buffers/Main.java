package library.buffers;

import java.nio.BufferOverflowException;
import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.CharBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.util.Arrays;

/** Heap buffers: positions, orders, views, slices. */
public final class Main {
    public static void main(String[] args) {
        ByteBuffer b = ByteBuffer.allocate(32);
        b.put((byte) 1).putShort((short) 0x0203).putInt(0x04050607).putLong(0x08090a0b0c0d0e0fL).putChar('\u1011');
        System.out.println(b + " " + Arrays.toString(Arrays.copyOf(b.array(), b.position())));
        b.flip();
        System.out.println(b.get() + " " + b.getShort() + " " + b.getInt() + " " + b.getLong() + " " + (int) b.getChar() + " " + b.remaining());
        b.clear().order(ByteOrder.LITTLE_ENDIAN);
        b.putInt(1).putFloat(1.5f).putDouble(-2.5).mark();
        b.putInt(0, 99);
        System.out.println(Arrays.toString(b.array()) + " " + b.order());
        b.reset();
        b.limit(20);
        System.out.println(b.getInt(0) + " " + b.getFloat(4) + " " + b.getDouble(8) + " " + b.position());
        b.rewind().position(4);
        ByteBuffer s = b.slice();
        s.put(0, (byte) 42);
        System.out.println(b.get(4) + " " + s.capacity() + " " + s.arrayOffset() + " " + b.duplicate().position() + " " + b.asReadOnlyBuffer().isReadOnly());
        b.compact();
        System.out.println(b.position() + " " + b.limit() + " " + b.get(0));
        ByteBuffer w = ByteBuffer.wrap(new byte[] {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}, 0, 16);
        IntBuffer ints = w.asIntBuffer();
        LongBuffer longs = w.order(ByteOrder.LITTLE_ENDIAN).asLongBuffer();
        System.out.println(ints.get(1) + " " + ints.remaining() + " " + longs.get(1));
        ints.put(0, -1);
        System.out.println(w.get(0) + " " + w.equals(ByteBuffer.wrap(w.array())) + " " + w.compareTo(ByteBuffer.wrap(new byte[] {1})) + " " + w.hashCode());
        CharBuffer c = CharBuffer.wrap("hello world");
        System.out.println(c.subSequence(6, 11) + " " + c.get() + c.get() + " " + c + " " + c.length() + " " + c.charAt(0));
        IntBuffer i = IntBuffer.allocate(3).put(new int[] {7, 8, 9}).flip();
        int[] out = new int[2];
        i.get(out);
        System.out.println(Arrays.toString(out) + i.get());
        try {
            i.get();
        } catch (BufferUnderflowException e) {
            System.out.println("underflow");
        }
        try {
            ByteBuffer.allocate(3).putInt(1);
        } catch (BufferOverflowException e) {
            System.out.println("overflow");
        }
        try {
            b.asReadOnlyBuffer().put((byte) 1);
        } catch (java.nio.ReadOnlyBufferException e) {
            System.out.println("read only");
        }
    }
}
