package compression.strategies;

import java.util.Arrays;
import java.util.zip.DataFormatException;
import java.util.zip.Deflater;
import java.util.zip.Inflater;

/** Strategies of compression: whatever they do, the content comes back. */
public class Main {
    static byte[] there(byte[] content, int level, int strategy) {
        Deflater deflater = new Deflater(level);
        deflater.setStrategy(strategy);
        deflater.setInput(content);
        deflater.finish();
        byte[] packed = new byte[2 * content.length + 100];
        int length = 0;
        while (!deflater.finished()) {
            length += deflater.deflate(packed, length, packed.length - length);
        }
        System.out.print(deflater.finished() + " " + deflater.getTotalIn() + " " + (length == deflater.getTotalOut()));
        deflater.end();
        return Arrays.copyOf(packed, length);
    }

    static byte[] back(byte[] packed, int length) throws DataFormatException {
        Inflater inflater = new Inflater();
        inflater.setInput(packed);
        byte[] content = new byte[length];
        int count = inflater.inflate(content);
        System.out.print(" " + count + " " + inflater.finished());
        inflater.end();
        return content;
    }

    public static void main(String[] args) throws DataFormatException {
        byte[] content = new byte[3_000];
        for (int index = 0; index < content.length; index++) {
            content[index] = (byte) (index / 7 % 5 * 11);
        }
        for (int strategy : new int[] {Deflater.DEFAULT_STRATEGY, Deflater.FILTERED, Deflater.HUFFMAN_ONLY}) {
            for (int level : new int[] {1, 6, 9}) {
                System.out.print(strategy + " " + level + ": ");
                byte[] packed = there(content, level, strategy);
                System.out.println(" " + Arrays.equals(content, back(packed, content.length)));
            }
        }
        Deflater deflater = new Deflater();
        deflater.setInput(content);
        byte[] packed = new byte[5_000];
        int first = deflater.deflate(packed, 0, 10, Deflater.SYNC_FLUSH);
        deflater.setStrategy(Deflater.HUFFMAN_ONLY);
        deflater.finish();
        int length = first;
        while (!deflater.finished()) {
            length += deflater.deflate(packed, length, packed.length - length);
        }
        System.out.println(" " + Arrays.equals(content, back(Arrays.copyOf(packed, length), content.length)));
        try {
            deflater.setStrategy(7);
        } catch (IllegalArgumentException refused) {
            System.out.println("no strategy 7");
        }
        deflater.end();
    }
}
