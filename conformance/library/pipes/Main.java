package library.pipes;

import java.io.BufferedOutputStream;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.CharArrayWriter;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.LineNumberReader;
import java.io.PrintWriter;
import java.io.PushbackReader;
import java.io.Reader;
import java.io.SequenceInputStream;
import java.io.StringReader;
import java.util.Arrays;

/** Streams of bytes and characters layered on one another. */
public class Main {
    public static void main(String[] args) throws Exception {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (DataOutputStream data = new DataOutputStream(new BufferedOutputStream(bytes))) {
            data.writeInt(-5);
            data.writeUTF("t\u00e9xt");
            data.writeDouble(0.1);
            data.writeBoolean(true);
            System.out.println(data.size());
        }
        try (DataInputStream data = new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
            System.out.println(data.readInt() + data.readUTF().length() + " " + data.readDouble()
                    + data.readBoolean());
            data.readByte();
        } catch (EOFException thrown) {
            System.out.println("end");
        }
        PushbackReader back = new PushbackReader(new StringReader("abc"), 2);
        int first = back.read();
        back.unread(first);
        back.unread('x');
        System.out.println((char) back.read() + "" + (char) back.read() + (char) back.read());
        LineNumberReader lines = new LineNumberReader(new StringReader("a\r\nb\nc"));
        while (lines.readLine() != null) {
            System.out.print(lines.getLineNumber() + " ");
        }
        System.out.println();
        SequenceInputStream sequence = new SequenceInputStream(new ByteArrayInputStream(new byte[] {1}),
                new ByteArrayInputStream(new byte[] {2, 3}));
        System.out.println(Arrays.toString(sequence.readAllBytes()));
        BufferedReader buffered = new BufferedReader(new InputStreamReader(new ByteArrayInputStream(
                "x\u20ac\ny".getBytes("UTF-8")), "UTF-8"));
        buffered.mark(10);
        System.out.println(buffered.readLine().length());
        buffered.reset();
        System.out.println(buffered.lines().count() + " " + buffered.read());
        CharArrayWriter chars = new CharArrayWriter();
        try (PrintWriter printer = new PrintWriter(chars)) {
            printer.printf("%d-%s", 1, "a").append('!').print(2.5);
            System.out.println(printer.checkError());
        }
        System.out.println(chars + " " + chars.size());
        try {
            new ByteArrayInputStream(new byte[2]).readNBytes(-1);
        } catch (IllegalArgumentException thrown) {
            System.out.println("negative");
        }
        try {
            Reader closed = new StringReader("a");
            closed.close();
            closed.read();
        } catch (IOException thrown) {
            System.out.println(thrown.getMessage());
        }
    }
}
