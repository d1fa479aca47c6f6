package library.archives;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** Archives written and read in memory. */
public class Main {
    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            zip.setComment("comment");
            for (String name : new String[] {"a.txt", "dir/b.txt", "empty/"}) {
                ZipEntry entry = new ZipEntry(name);
                entry.setTime(1_000_000_000_000L);
                zip.putNextEntry(entry);
                if (!entry.isDirectory()) {
                    zip.write(("content of " + name).repeat(20).getBytes("UTF-8"));
                }
                zip.closeEntry();
            }
            try {
                zip.putNextEntry(new ZipEntry("a.txt"));
            } catch (ZipException thrown) {
                System.out.println(thrown.getMessage());
            }
        }
        try (ZipInputStream zip = new ZipInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            for (ZipEntry entry = zip.getNextEntry(); entry != null; entry = zip.getNextEntry()) {
                byte[] content = zip.readAllBytes();
                System.out.println(entry.getName() + " " + entry.isDirectory() + " " + content.length);
            }
        }
        ByteArrayOutputStream packed = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
            gzip.write(new byte[1000]);
        }
        System.out.println(new GZIPInputStream(new ByteArrayInputStream(packed.toByteArray()))
                .readAllBytes().length + " " + (packed.size() < 100));
        CRC32 crc = new CRC32();
        crc.update("abc".getBytes("UTF-8"));
        Adler32 adler = new Adler32();
        adler.update("abc".getBytes("UTF-8"));
        System.out.println(Long.toHexString(crc.getValue()) + " " + adler.getValue());
        try {
            new GZIPInputStream(new ByteArrayInputStream(new byte[20])).read();
        } catch (ZipException thrown) {
            System.out.println(thrown.getMessage());
        }
    }
}
