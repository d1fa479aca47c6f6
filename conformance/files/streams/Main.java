package files.streams;

import java.io.*;
import java.util.Scanner;

public class Main {
    public static void main(String[] args) throws IOException {
        File file = File.createTempFile("streams", ".bin");
        try (OutputStream out = new BufferedOutputStream(new FileOutputStream(file))) {
            for (int i = 0; i < 300; i++) {
                out.write(i);
            }
        }
        System.out.println(file.length());
        try (FileInputStream in = new FileInputStream(file)) {
            System.out.println(in.read() + " " + in.available() + " " + in.skip(10) + " " + in.read());
            byte[] part = new byte[4];
            System.out.println(in.read(part, 1, 3) + " " + part[0] + " " + part[1] + " " + part[3]);
            System.out.println(in.readAllBytes().length + " " + in.read());
        }
        try (FileOutputStream out = new FileOutputStream(file, true)) {
            out.write("tail".getBytes());
        }
        System.out.println(file.length());
        try (Writer out = new FileWriter(file)) {
            out.write("first\nsecond\n");
        }
        try (BufferedReader in = new BufferedReader(new FileReader(file))) {
            System.out.println(in.readLine() + " " + in.readLine() + " " + in.readLine());
        }
        try (PrintStream out = new PrintStream(file)) {
            out.printf("%d %s%n", 7, "x");
        }
        try (Scanner in = new Scanner(file)) {
            System.out.println(in.nextInt() + in.next());
        }
        FileInputStream closed = new FileInputStream(file);
        closed.close();
        try {
            closed.read();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            new FileInputStream("/none/such");
        } catch (FileNotFoundException e) {
            System.out.println(e.getMessage());
        }
        try {
            new FileOutputStream(file.getParent());
        } catch (FileNotFoundException e) {
            System.out.println(e.getMessage().endsWith("(Is a directory)"));
        }
        System.out.println(file.delete() + " " + file.delete() + " " + file.exists());
    }
}
