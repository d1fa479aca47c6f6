package library.hexes;

import java.util.Arrays;
import java.util.Base64;
import java.util.HexFormat;

/** Hexadecimal and base 64 text. */
public class Main {
    public static void main(String[] args) {
        byte[] bytes = {0, 1, 127, -128, -1, 16};
        HexFormat hex = HexFormat.of();
        System.out.println(hex.formatHex(bytes) + " " + hex.withUpperCase().formatHex(bytes, 2, 5));
        HexFormat spaced = HexFormat.ofDelimiter(":").withPrefix("0x").withSuffix(";");
        System.out.println(spaced.formatHex(bytes));
        System.out.println(Arrays.equals(spaced.parseHex(spaced.formatHex(bytes)), bytes));
        System.out.println(hex.toHexDigits((byte) 10) + hex.toHexDigits('x') + hex.toHexDigits(255L, 3));
        System.out.println(HexFormat.fromHexDigits("7fff") + " " + HexFormat.isHexDigit('g'));
        try {
            hex.parseHex("abc");
        } catch (IllegalArgumentException thrown) {
            System.out.println(thrown.getClass().getSimpleName());
        }
        System.out.println(Base64.getEncoder().encodeToString(bytes));
        System.out.println(Base64.getUrlEncoder().withoutPadding().encodeToString(bytes));
        System.out.println(Base64.getMimeEncoder(8, new byte[] {'|'}).encodeToString(bytes));
        System.out.println(Arrays.toString(Base64.getDecoder().decode("AAF/gP8Q")));
        System.out.println(Arrays.toString(Base64.getMimeDecoder().decode("AA\nF/ gP8Q")));
        for (String wrong : new String[] {"A", "A===", "AA=A", "A!AA"}) {
            try {
                System.out.println(Base64.getDecoder().decode(wrong).length);
            } catch (IllegalArgumentException thrown) {
                System.out.println("wrong " + wrong);
            }
        }
    }
}
