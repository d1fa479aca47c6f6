package files.queries;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;

public class Main {
    public static void main(String[] args) throws IOException {
        File folder = Files.createTempDirectory("queries").toFile();
        File file = new File(folder, "file.txt");
        System.out.println(file.exists() + " " + file.createNewFile() + " " + file.createNewFile());
        System.out.println(file.isFile() + " " + file.isDirectory() + " " + folder.isDirectory());
        System.out.println(file.canRead() + " " + file.canWrite() + " " + file.isHidden());
        System.out.println(new File(folder, ".hidden").isHidden());
        System.out.println(new File(folder, "a/b").mkdir() + " " + new File(folder, "a/b").mkdirs());
        System.out.println(new File(folder, "a").mkdir() + " " + new File(folder, "a").delete());
        String[] names = folder.list();
        Arrays.sort(names);
        System.out.println(Arrays.toString(names));
        System.out.println(new File(folder, "missing/../file.txt").exists() + " "
            + new File(folder, "../" + folder.getName() + "/file.txt").exists() + " "
            + Files.exists(folder.toPath().resolve("missing/..")) + " "
            + Files.isDirectory(folder.toPath().resolve("..")));
        System.out.println(folder.listFiles(File::isFile).length + " " + file.list());
        System.out.println(file.renameTo(new File(folder, "a/moved")) + " " + file.exists());
        System.out.println(new File(folder, "a/moved").length());
        System.out.println(file.setLastModified(1000) + " " + file.lastModified());
        File moved = new File(folder, "a/moved");
        System.out.println(moved.setLastModified(86_400_000) + " " + moved.lastModified());
        System.out.println(new File(folder, "x/../a/./moved").getCanonicalFile().equals(moved.getCanonicalFile()));
        System.out.println(new File("/a/../b//c").getCanonicalPath() + " " + new File("/a/b/").getPath());
        System.out.println(new File("a/b").getParent() + " " + new File("a/b").isAbsolute());
        System.out.println(new File("none").length() + " " + new File("none").delete());
        try {
            new File("/none/such").createNewFile();
        } catch (IOException e) {
            System.out.println(e.getMessage());
        }
        try {
            File.createTempFile("x", null);
        } catch (IllegalArgumentException e) {
            System.out.println(e.getMessage());
        }
        System.out.println(moved.delete() + " " + new File(folder, "a/b").delete()
            + " " + new File(folder, "a").delete() + " " + folder.delete());
    }
}
