package files.filelocks;

import java.io.*;
import java.nio.channels.*;
import java.nio.file.*;

public class Main {
    public static void main(String[] args) throws IOException {
        Path path = Files.createTempFile("locks", null);
        Path other = Files.createTempFile("locks", null);
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                FileChannel again = FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE);
                RandomAccessFile file = new RandomAccessFile(other.toFile(), "rw")) {
            FileLock lock = channel.lock(10, 20, false);
            System.out.println(lock.isValid() + " " + lock.isShared() + " " + lock.position() + " " + lock.size());
            System.out.println(lock.overlaps(29, 1) + " " + lock.overlaps(30, 1));
            try {
                again.tryLock(15, 1, true);
            } catch (OverlappingFileLockException e) {
                System.out.println("overlaps");
            }
            FileLock apart = again.tryLock(30, 5, true);
            System.out.println(apart.isShared() + " " + (apart.acquiredBy() == again));
            FileLock elsewhere = file.getChannel().lock();
            System.out.println(elsewhere.position() + " " + elsewhere.size());
            lock.release();
            System.out.println(lock.isValid() + " " + again.tryLock(15, 1, true).isValid());
            try {
                lock.release();
                FileChannel.open(path).lock();
            } catch (NonWritableChannelException e) {
                System.out.println("not writable");
            }
        }
        Files.delete(path);
        Files.delete(other);
    }
}
