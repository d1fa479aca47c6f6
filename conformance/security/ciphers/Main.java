package security.ciphers;

import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import javax.crypto.Cipher;
import javax.crypto.IllegalBlockSizeException;
import javax.crypto.Mac;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.GCMParameterSpec;
import javax.crypto.spec.IvParameterSpec;
import javax.crypto.spec.PBEKeySpec;
import javax.crypto.spec.SecretKeySpec;

import java.util.Arrays;

/** Ciphers, codes of messages and derived keys of fixed input. */
public class Main {
    public static void main(String[] args) throws Exception {
        byte[] key = new byte[16];
        Arrays.setAll(new Integer[16], index -> key[index] = (byte) index);
        SecretKeySpec secret = new SecretKeySpec(key, "AES");
        HexFormat hex = HexFormat.of();
        Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
        cipher.init(Cipher.ENCRYPT_MODE, secret, new IvParameterSpec(new byte[16]));
        byte[] closed = cipher.doFinal("some text to hide".getBytes("UTF-8"));
        System.out.println(hex.formatHex(closed));
        cipher.init(Cipher.DECRYPT_MODE, secret, new IvParameterSpec(new byte[16]));
        System.out.println(new String(cipher.doFinal(closed), "UTF-8"));
        Cipher counter = Cipher.getInstance("AES/GCM/NoPadding");
        counter.init(Cipher.ENCRYPT_MODE, secret, new GCMParameterSpec(128, new byte[12]));
        System.out.println(hex.formatHex(counter.doFinal(new byte[5])));
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(secret);
        System.out.println(hex.formatHex(mac.doFinal("abc".getBytes("UTF-8"))));
        SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA1");
        System.out.println(hex.formatHex(factory.generateSecret(
                new PBEKeySpec("word".toCharArray(), key, 10, 128)).getEncoded()));
        closed[3] ^= 1;
        cipher.init(Cipher.DECRYPT_MODE, secret, new IvParameterSpec(new byte[16]));
        try {
            System.out.println(cipher.doFinal(Arrays.copyOf(closed, 20)).length);
        } catch (IllegalBlockSizeException thrown) {
            System.out.println("block size");
        }
        try {
            Cipher.getInstance("None/Such");
        } catch (NoSuchAlgorithmException thrown) {
            System.out.println("no such cipher");
        }
        System.out.println(cipher.getBlockSize() + " " + cipher.getAlgorithm());
    }
}
