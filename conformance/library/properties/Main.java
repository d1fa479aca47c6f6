package library.properties;

import java.util.Properties;
import java.util.Scanner;
import java.io.StringReader;
import java.io.StringWriter;
import java.io.PrintWriter;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;

/** Readers and writers in memory, Scanner on text, Properties, printed stack traces. */
public class Main {
    public static void main(String[] args) throws IOException {
        StringWriter sw = new StringWriter();
        PrintWriter pw = new PrintWriter(sw);
        pw.print("written ");
        pw.println(5);
        pw.printf("%s", "end");
        pw.flush();
        System.out.println(sw.toString().replace(System.lineSeparator(), "|"));
        BufferedReader r = new BufferedReader(new StringReader("line one\nline two\r\n\nlast"));
        for (String line = r.readLine(); line != null; line = r.readLine()) {
            System.out.println("[" + line + "]");
        }
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        PrintStream ps = new PrintStream(bytes, true);
        ps.print("bytes");
        ps.write(33);
        System.out.println(bytes.size() + " " + bytes);
        ByteArrayInputStream in = new ByteArrayInputStream(bytes.toByteArray());
        int sum = 0;
        for (int b = in.read(); b >= 0; b = in.read()) sum += b;
        System.out.println(sum + " " + in.available());
        Properties p = new Properties();
        p.load(new StringReader("# comment\nkey=value\nother : with spaces\nlong=a\\\n  b\n"));
        System.out.println(p.getProperty("key") + " " + p.getProperty("other") + " " + p.getProperty("long") + " " + p.getProperty("none", "default") + " " + p.size());
        Scanner s = new Scanner("12 words 3.5 true\nrest of line");
        System.out.println(s.nextInt() + s.next() + s.hasNextInt() + s.next() + s.nextBoolean() + s.nextLine() + s.nextLine() + s.hasNext());
        StringWriter trace = new StringWriter();
        new IllegalStateException("printed", new RuntimeException("cause")).printStackTrace(new PrintWriter(trace));
        for (String line : trace.toString().split("\\R")) System.out.println(line.trim());
        PrintStream old = System.out;
        ByteArrayOutputStream captured = new ByteArrayOutputStream();
        System.setOut(new PrintStream(captured, true));
        System.out.print("captured");
        System.setOut(old);
        System.out.println(captured.size());
    }
}
