package security.digests;

import java.io.ByteArrayInputStream;
import java.security.*;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.*;
import javax.crypto.spec.*;

public class Main {
    private static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    public static void main(String[] args) throws Exception {
        for (String name : List.of("MD5", "SHA-1", "SHA-224", "SHA-256", "SHA-384", "SHA-512", "SHA3-256")) {
            MessageDigest digest = MessageDigest.getInstance(name);
            digest.update((byte) 'a');
            digest.update("bc".getBytes(), 0, 2);
            System.out.println(digest.getAlgorithm() + " " + digest.getDigestLength() + " " + hex(digest.digest()));
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec("key".getBytes(), "HmacSHA256"));
        System.out.println(hex(mac.doFinal("text".getBytes())));
        Cipher cipher = Cipher.getInstance("AES/CBC/PKCS5Padding");
        SecretKeySpec key = new SecretKeySpec("0123456789abcdef".getBytes(), "AES");
        cipher.init(Cipher.ENCRYPT_MODE, key, new IvParameterSpec(new byte[16]));
        byte[] secret = cipher.doFinal("plain".getBytes());
        System.out.println(hex(secret));
        cipher.init(Cipher.DECRYPT_MODE, key, new IvParameterSpec(new byte[16]));
        System.out.println(new String(cipher.doFinal(secret)));
        Cipher counter = Cipher.getInstance("AES/GCM/NoPadding");
        counter.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(128, new byte[12]));
        System.out.println(hex(counter.doFinal("plain".getBytes())));
        SecretKeyFactory factory = SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256");
        byte[] derived = factory.generateSecret(new PBEKeySpec("pass".toCharArray(), new byte[] {1, 2}, 3, 128)).getEncoded();
        System.out.println(hex(derived));
        try {
            MessageDigest.getInstance("NONE");
        } catch (NoSuchAlgorithmException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(MessageDigest.isEqual(new byte[] {1}, new byte[] {1}));
        DigestInputStream in = new DigestInputStream(new ByteArrayInputStream("abc".getBytes()), MessageDigest.getInstance("MD5"));
        in.readAllBytes();
        System.out.println(hex(in.getMessageDigest().digest()));
    }
}
