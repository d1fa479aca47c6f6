package format.charsets;

import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.UnsupportedCharsetException;
import java.util.Arrays;

/** Text coded and decoded by many charsets. */
public class Main {
    public static void main(String[] args) throws Exception {
        String text = "A\u00e9\u20ac\u3042\ud83d\ude00";
        for (String name : new String[] {"UTF-8", "UTF-16", "UTF-16LE", "UTF-32", "ISO-8859-1",
                "ISO-8859-15", "US-ASCII", "windows-1252", "IBM037", "Shift_JIS", "EUC-JP", "GBK",
                "GB18030", "Big5", "EUC-KR", "KOI8-R", "windows-1251", "ISO-2022-JP", "x-MacRoman"}) {
            Charset charset = Charset.forName(name);
            byte[] bytes = text.getBytes(charset);
            System.out.println(charset.name() + " " + Arrays.toString(bytes) + " "
                    + new String(bytes, charset).equals(text) + " "
                    + charset.newEncoder().maxBytesPerChar() + " "
                    + charset.newEncoder().canEncode('\u3042'));
        }
        System.out.println(Charset.forName("latin1").name() + " " + Charset.isSupported("cp1252"));
        System.out.println(Charset.forName("UTF-8").contains(Charset.forName("GBK")));
        try {
            Charset.forName("no-such-charset");
        } catch (UnsupportedCharsetException thrown) {
            System.out.println(thrown.getMessage());
        }
        try {
            Charset.forName("UTF-8").newDecoder().decode(ByteBuffer.wrap(new byte[] {65, -1}));
        } catch (CharacterCodingException thrown) {
            System.out.println(thrown.getMessage());
        }
        CharBuffer replaced = Charset.forName("UTF-8").newDecoder()
                .onMalformedInput(CodingErrorAction.REPLACE).replaceWith("?")
                .decode(ByteBuffer.wrap(new byte[] {65, -1, 66}));
        System.out.println(replaced);
    }
}
