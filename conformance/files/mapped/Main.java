package files.mapped;

import java.io.IOException;
import java.nio.BufferUnderflowException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Files mapped for reading: whole, in part, at odd places, over several pages. */
public class Main {
    static int sum(MappedByteBuffer buffer) {
        int sum = 0;
        while (buffer.hasRemaining()) {
            sum = 31 * sum + buffer.get();
        }
        return sum;
    }

    public static void main(String[] args) throws IOException {
        Path path = Files.createTempFile("mapped", ".bin");
        byte[] content = new byte[10_000];
        for (int index = 0; index < content.length; index++) {
            content[index] = (byte) (index * 7);
        }
        Files.write(path, content);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            for (long[] part : new long[][] {{0, 10_000}, {0, 10}, {1, 10}, {4_095, 2}, {4_097, 5_000}, {9_999, 1}, {5, 0}}) {
                MappedByteBuffer buffer = channel.map(MapMode.READ_ONLY, part[0], part[1]);
                System.out.println(part[0] + " " + part[1] + ": " + buffer.capacity() + " " + buffer.isReadOnly()
                    + " " + buffer.isDirect() + " " + (buffer.load() == buffer) + " " + sum(buffer));
                buffer.force();
                try {
                    buffer.get();
                } catch (BufferUnderflowException underflow) {
                    System.out.println("at its end");
                }
            }
            MappedByteBuffer copy = channel.map(MapMode.PRIVATE, 2, 4);
            copy.put(0, (byte) 100);
            System.out.println(copy.get(0) + " " + copy.get(1) + " " + Files.readAllBytes(path)[2]);
            try {
                channel.map(MapMode.READ_ONLY, -1, 4);
            } catch (IllegalArgumentException refused) {
                System.out.println("negative");
            }
        }
        Files.delete(path);
    }
}
