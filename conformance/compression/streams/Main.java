package compression.streams;

import java.io.*;
import java.util.Arrays;
import java.util.zip.*;

public class Main {
    public static void main(String[] args) throws Exception {
        byte[] text = "some text, some text, some more text".repeat(20).getBytes();
        ByteArrayOutputStream zipped = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(zipped)) {
            out.write(text);
        }
        System.out.println(zipped.size() < text.length);
        byte[] back = new GZIPInputStream(new ByteArrayInputStream(zipped.toByteArray())).readAllBytes();
        System.out.println(Arrays.equals(text, back));
        ByteArrayOutputStream archive = new ByteArrayOutputStream();
        try (ZipOutputStream out = new ZipOutputStream(archive)) {
            out.setComment("comment");
            out.putNextEntry(new ZipEntry("a/b.txt"));
            out.write(text);
            out.closeEntry();
            out.setMethod(ZipOutputStream.STORED);
            ZipEntry stored = new ZipEntry("c");
            stored.setSize(3);
            CRC32 crc = new CRC32();
            crc.update(new byte[] {1, 2, 3});
            stored.setCrc(crc.getValue());
            out.putNextEntry(stored);
            out.write(new byte[] {1, 2, 3});
        }
        ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(archive.toByteArray()));
        for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
            System.out.println(entry.getName() + " " + in.readAllBytes().length);
        }
        File file = File.createTempFile("archive", ".zip");
        try (OutputStream out = new FileOutputStream(file)) {
            archive.writeTo(out);
        }
        try (ZipFile zip = new ZipFile(file)) {
            System.out.println(zip.size() + " " + zip.getComment() + " " + zip.getEntry("none"));
            ZipEntry entry = zip.getEntry("a/b.txt");
            System.out.println(entry.getSize() + " " + Arrays.equals(text, zip.getInputStream(entry).readAllBytes()));
        }
        file.delete();
        try {
            new GZIPInputStream(new ByteArrayInputStream(text));
        } catch (ZipException e) {
            System.out.println(e.getMessage());
        }
        Deflater deflater = new Deflater(9);
        deflater.setInput(text);
        deflater.finish();
        byte[] packed = new byte[1000];
        int length = 0;
        while (!deflater.finished()) {
            length += deflater.deflate(packed, length, 7);
        }
        System.out.println(deflater.getTotalIn() + " " + (deflater.getTotalOut() == length) + " " + deflater.getAdler());
        deflater.reset();
        System.out.println(deflater.needsInput() + " " + deflater.getTotalIn());
        Inflater inflater = new Inflater();
        inflater.setInput(packed, 0, length);
        byte[] unpacked = new byte[text.length];
        System.out.println(inflater.inflate(unpacked, 0, 10) + " " + inflater.finished());
        System.out.println(inflater.inflate(unpacked, 10, text.length - 10) + " " + inflater.finished() + " " + inflater.getRemaining());
        System.out.println(Arrays.equals(text, unpacked) + " " + inflater.getAdler());
        try {
            Inflater broken = new Inflater();
            broken.setInput(new byte[] {1, 2, 3});
            broken.inflate(unpacked);
        } catch (DataFormatException e) {
            System.out.println(e.getMessage());
        }
        Deflater raw = new Deflater(Deflater.BEST_SPEED, true);
        raw.setDictionary("some text".getBytes());
        raw.setInput(text);
        raw.finish();
        length = raw.deflate(packed);
        Inflater other = new Inflater(true);
        other.setDictionary("some text".getBytes());
        other.setInput(packed, 0, length);
        System.out.println(other.inflate(unpacked) + " " + Arrays.equals(text, unpacked));
    }
}
