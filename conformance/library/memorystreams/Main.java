package library.memorystreams;

import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.PushbackReader;
import java.io.SequenceInputStream;
import java.io.StringReader;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** Streams and readers in memory. */
public final class Main {
    public static void main(String[] args) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            out.writeInt(-2);
            out.writeLong(1L << 40);
            out.writeUTF("h\u00e9\0llo\u20ac");
            out.writeDouble(1.25);
            out.writeBoolean(true);
            out.writeChars("ab");
            out.writeShort(70000);
            System.out.println(out.size());
        }
        System.out.println(Arrays.toString(bytes.toByteArray()));
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()));
        System.out.println(in.readInt() + " " + in.readLong() + " " + in.readUTF().length() + " " + in.readDouble() + " " + in.readBoolean() + " " + in.readChar() + in.readChar() + " " + in.readUnsignedShort());
        try {
            in.readByte();
        } catch (EOFException e) {
            System.out.println("end " + in.read());
        }
        BufferedReader r = new BufferedReader(new StringReader("first\nsecond\r\n\rlast"));
        for (String line; (line = r.readLine()) != null;) {
            System.out.print("<" + line + ">");
        }
        System.out.println();
        r = new BufferedReader(new StringReader("abcdefghij"), 4);
        r.mark(8);
        System.out.print((char) r.read());
        r.skip(3);
        System.out.print((char) r.read());
        r.reset();
        System.out.println((char) r.read() + " " + r.ready() + " " + r.lines().toList());
        StringWriter w = new StringWriter();
        PrintWriter p = new PrintWriter(w);
        p.print(1);
        p.print('c');
        p.printf(java.util.Locale.ROOT, "%03d", 7);
        p.println(new char[] {'x', 'y'});
        p.append("app").append("ended", 0, 2).write("more", 1, 2);
        p.flush();
        System.out.println(w.toString().replace("\n", "/") + " " + w.getBuffer().length() + " " + p.checkError());
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        PrintStream ps = new PrintStream(captured, true, StandardCharsets.UTF_8);
        ps.print("\u00e9");
        ps.println(2.5f);
        ps.write(65);
        ps.close();
        System.out.println(captured.size() + " " + captured.toString(StandardCharsets.UTF_8).length());
        SequenceInputStream seq = new SequenceInputStream(new ByteArrayInputStream("ab".getBytes()), new ByteArrayInputStream("cd".getBytes()));
        System.out.println(new String(seq.readAllBytes()) + " " + new InputStreamReader(new ByteArrayInputStream(new byte[] {(byte) 0xc3, (byte) 0xa9}), StandardCharsets.UTF_8).read());
        PushbackReader back = new PushbackReader(new StringReader("xyz"));
        int c = back.read();
        back.unread('q');
        System.out.println((char) c + "" + (char) back.read() + (char) back.read());
        ByteArrayInputStream b = new ByteArrayInputStream(new byte[] {1, 2, 3, 4, 5}, 1, 3);
        System.out.println(b.available() + " " + b.skip(1) + " " + Arrays.toString(b.readNBytes(5)) + " " + b.read());
        ByteArrayOutputStream copy = new ByteArrayOutputStream();
        new ByteArrayInputStream("transfer".getBytes()).transferTo(copy);
        System.out.println(copy);
        PrintStream old = System.out;
        System.setOut(new PrintStream(copy, true));
        System.out.print(" redirected");
        System.setOut(old);
        System.out.println(copy);
        try {
            r.close();
            r.read();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
    }
}
