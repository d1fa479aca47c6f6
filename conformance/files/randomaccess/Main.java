package files.randomaccess;

import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.channels.NonWritableChannelException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;

/** Channels, random access and mapped buffers over temporary files. */
public class Main {
    public static void main(String[] args) throws Exception {
        Path file = Files.createTempFile("channel", ".bin");
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE,
                StandardOpenOption.READ)) {
            ByteBuffer buffer = ByteBuffer.allocate(16).order(ByteOrder.LITTLE_ENDIAN);
            buffer.putInt(0x01020304).putLong(5).flip();
            System.out.println(channel.write(buffer) + " " + channel.position() + " " + channel.size());
            channel.position(4);
            ByteBuffer read = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
            System.out.println(channel.read(read) + " " + read.flip().getLong());
            System.out.println(channel.write(ByteBuffer.wrap(new byte[] {9}), 20) + " " + channel.size());
            channel.truncate(6);
            System.out.println(channel.size() + " " + channel.read(ByteBuffer.allocate(4), 100));
        }
        try (RandomAccessFile random = new RandomAccessFile(file.toFile(), "rw")) {
            random.seek(random.length());
            random.writeUTF("text");
            random.writeDouble(1.5);
            random.seek(6);
            System.out.println(random.readUTF() + random.readDouble() + " " + random.getFilePointer());
        }
        System.out.println(Files.size(file) + " " + Arrays.toString(Files.readAllBytes(file)));
        System.out.println(Files.mismatch(file, file) + " " + Files.isReadable(file));
        try (SeekableByteChannel channel = Files.newByteChannel(file)) {
            System.out.println(channel.isOpen() + " " + channel.size());
            channel.write(ByteBuffer.allocate(1));
        } catch (NonWritableChannelException thrown) {
            System.out.println("read only");
        }
        Files.delete(file);
        System.out.println(Files.exists(file));
    }
}
