package library.printstreams;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;

/** Print streams: errors are kept, not thrown; standard input of nobody is at its end. */
public class Main {
    private static final class Broken extends OutputStream {
        private int room;

        Broken(int room) {
            this.room = room;
        }

        @Override
        public void write(int b) throws IOException {
            if (room-- <= 0) {
                throw new IOException("full");
            }
        }
    }

    public static void main(String[] args) throws IOException {
        System.out.println(System.out.checkError() + " " + System.err.checkError());
        PrintStream whole = new PrintStream(new ByteArrayOutputStream());
        whole.print("text");
        System.out.println(whole.checkError());
        whole.close();
        whole.print("late");
        System.out.println(whole.checkError());
        PrintStream broken = new PrintStream(new Broken(3), true);
        broken.print("ab");
        System.out.println(broken.checkError());
        broken.println("cd");
        System.out.println(broken.checkError());
        PrintWriter writer = new PrintWriter(new Broken(0));
        writer.print("x");
        System.out.println(writer.checkError());
        StringWriter text = new StringWriter();
        PrintWriter good = new PrintWriter(text);
        good.printf("%d-%s", 3, "a");
        System.out.println(good.checkError() + text.toString());
        System.out.println(System.in.read() + " " + System.in.available());
        System.out.println(System.in.read(new byte[4]) + " " + System.in.read(new byte[0]));
    }
}
