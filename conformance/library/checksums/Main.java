package library.checksums;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.zip.Adler32;
import java.util.zip.CRC32;
import java.util.zip.Checksum;

/** CRC32, Adler32 and Base64. */
public final class Main {
    private static void sum(Checksum c, byte[] data) {
        System.out.print(c.getValue() + " ");
        c.update(data, 0, data.length);
        System.out.print(c.getValue() + " ");
        c.update('!');
        c.update(-1);
        System.out.print(c.getValue() + " ");
        c.update(data, 0, data.length / 2);
        System.out.print(c.getValue() + " ");
        c.reset();
        c.update(data);
        System.out.println(c.getValue());
    }

    public static void main(String[] args) {
        byte[] big = new byte[10000];
        for (int i = 0; i < big.length; i++) {
            big[i] = (byte) (i * 31 ^ i >> 3);
        }
        byte[][] all = {{}, {0}, "123456789".getBytes(StandardCharsets.UTF_8), "The quick brown fox".getBytes(StandardCharsets.UTF_8), big};
        for (byte[] data : all) {
            sum(new CRC32(), data);
            sum(new Adler32(), data);
        }
        sum(new java.util.zip.CRC32C(), all[2]);
        try {
            new CRC32().update(big, 9999, 2);
        } catch (ArrayIndexOutOfBoundsException e) {
            System.out.println("outside");
        }
        for (String s : new String[] {"", "f", "fo", "foo", "foob", "\u00ff\u00fe\u00fd?>"}) {
            byte[] bytes = s.getBytes(StandardCharsets.ISO_8859_1);
            String e = Base64.getEncoder().encodeToString(bytes);
            System.out.println(e + " " + Base64.getUrlEncoder().withoutPadding().encodeToString(bytes) + " " + new String(Base64.getDecoder().decode(e), StandardCharsets.ISO_8859_1).equals(s));
        }
        System.out.println(Base64.getMimeEncoder().encodeToString(new byte[80]).replace("\r\n", "|"));
        try {
            Base64.getDecoder().decode("a*b=");
        } catch (IllegalArgumentException e) {
            System.out.println("not base64");
        }
    }
}
