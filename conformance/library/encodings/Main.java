package library.encodings;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Encoding and decoding with the standard charsets, broken input included. */
public final class Main {
    private static String escape(String s) {
        StringBuilder b = new StringBuilder();
        for (char c : s.toCharArray()) {
            b.append(c >= ' ' && c < 127 ? "" + c : "\\u" + Integer.toHexString(c));
        }
        return b.toString();
    }

    public static void main(String[] args) throws Exception {
        Charset[] all = {StandardCharsets.UTF_8, StandardCharsets.ISO_8859_1, StandardCharsets.US_ASCII, StandardCharsets.UTF_16, StandardCharsets.UTF_16BE, StandardCharsets.UTF_16LE};
        String[] texts = {"abc", "\u00e9\u00df", "\u20ac\u4e2d", "\ud83d\ude00!", "\ud800x", "x\udc00", ""};
        for (Charset c : all) {
            System.out.println(c.name() + " " + c.canEncode());
            for (String t : texts) {
                byte[] e = t.getBytes(c);
                System.out.println(Arrays.toString(e) + " " + escape(new String(e, c)));
            }
        }
        byte[][] broken = {{(byte) 0xc3}, {(byte) 0xe2, (byte) 0x82}, {(byte) 0xff, 'a'}, {(byte) 0xc0, (byte) 0x80}, {(byte) 0xed, (byte) 0xa0, (byte) 0x80}, {(byte) 0xf4, (byte) 0x90, (byte) 0x80, (byte) 0x80}, {'o', 'k', (byte) 0x80, 'x'}};
        for (byte[] b : broken) {
            System.out.println(escape(new String(b, StandardCharsets.UTF_8)) + " " + escape(new String(b, StandardCharsets.US_ASCII)) + " " + escape(new String(b, StandardCharsets.UTF_16LE)));
            try {
                System.out.println(escape(StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(b)).toString()));
            } catch (CharacterCodingException e) {
                System.out.println(e.getMessage());
            }
        }
        System.out.println(new String(new byte[] {1, 65, 66, 67}, 1, 2, "UTF-8") + " " + Arrays.toString("\u00e9".getBytes("ISO-8859-1")) + " " + Charset.forName("utf8").equals(StandardCharsets.UTF_8));
        System.out.println(Arrays.toString(StandardCharsets.UTF_8.encode("a\u00e9").array().length > 0 ? new int[] {StandardCharsets.UTF_8.encode("a\u00e9").remaining()} : null));
    }
}
