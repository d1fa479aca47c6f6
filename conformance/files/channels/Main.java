package files.channels;

import java.io.*;
import java.nio.*;
import java.nio.channels.*;
import java.nio.file.*;

public class Main {
    public static void main(String[] args) throws IOException {
        Path path = Files.createTempFile("channels", null);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            ByteBuffer buffer = ByteBuffer.allocateDirect(32).order(ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(0x01020304).putLong(-5).putDouble(1.5).flip();
            System.out.println(channel.write(buffer) + " " + channel.position() + " " + channel.size());
            buffer.clear();
            System.out.println(channel.read(buffer, 4) + " " + buffer.flip().getLong() + " " + buffer.getDouble());
            System.out.println(channel.read(ByteBuffer.allocate(4)));
            ByteBuffer[] parts = {ByteBuffer.wrap(new byte[] {1, 2}), ByteBuffer.wrap(new byte[] {3})};
            System.out.println(channel.write(parts) + " " + channel.size());
            channel.position(20);
            ByteBuffer[] into = {ByteBuffer.allocate(1), ByteBuffer.allocateDirect(5)};
            System.out.println(channel.read(into) + " " + into[0].get(0) + " " + into[1].get(1));
            System.out.println(channel.truncate(3).size() + " " + channel.position());
        }
        try (RandomAccessFile file = new RandomAccessFile(path.toFile(), "rw")) {
            file.setLength(0);
            file.writeUTF("text");
            file.writeLong(Long.MIN_VALUE);
            System.out.println(file.getFilePointer() + " " + file.length());
            file.seek(0);
            System.out.println(file.readUTF() + " " + file.readLong() + " " + file.read());
            file.seek(100);
            file.write(1);
            System.out.println(file.length());
            try {
                file.seek(-1);
            } catch (IOException e) {
                System.out.println(e.getMessage());
            }
        }
        try (FileChannel channel = FileChannel.open(path)) {
            channel.write(ByteBuffer.allocate(1));
        } catch (NonWritableChannelException e) {
            System.out.println("not writable");
        }
        ByteBuffer direct = ByteBuffer.allocateDirect(16);
        direct.asIntBuffer().put(new int[] {1, 2, 3});
        System.out.println(direct.getInt(4) + " " + direct.duplicate().position(8).slice().getInt() + " " + direct.isDirect());
        Files.delete(path);
    }
}
