//! Resources and services of folders and jars: what `java` prints, the engine prints.

use std::fs::{self, File};
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use heapwright_jvm::{Config, Exit, Jdk, Vm};
use heapwright_testkit::fixtures::Fixture;
use heapwright_testkit::jdk;

const MAIN: &str = r#"
import java.io.InputStream;
import java.net.URL;
import java.util.*;

public class Main {
    static String text(InputStream in) throws Exception {
        return in == null ? "none" : new String(in.readAllBytes()).trim();
    }

    public static void main(String[] args) throws Exception {
        ResourceBundle bundle = ResourceBundle.getBundle("texts", Locale.FRANCE);
        System.out.println(bundle.getString("a") + " " + bundle.getString("b") + " " + bundle.getLocale());
        System.out.println(ResourceBundle.getBundle("sub.other", Locale.US).keySet());
        System.out.println(text(Main.class.getResourceAsStream("texts.properties")));
        System.out.println(text(Main.class.getResourceAsStream("/sub/a b.txt")));
        System.out.println(text(Main.class.getResourceAsStream("/sub/none")));
        System.out.println(text(ClassLoader.getSystemResourceAsStream("sub/other.properties")));
        System.out.println(text(Thread.currentThread().getContextClassLoader().getResourceAsStream("../x")));
        URL url = Main.class.getResource("sub/a b.txt");
        System.out.println(url.getProtocol() + " " + url.getPath().endsWith("/sub/a%20b.txt") + " " + text(url.openStream()));
        System.out.println(url.toURI().toString().equals(url.toString()) + " " + url.openConnection().getContentLength());
        Properties properties = new Properties();
        properties.load(Main.class.getResourceAsStream("texts_fr.properties"));
        System.out.println(properties);
        System.out.println(Collections.list(Main.class.getClassLoader().getResources("texts.properties")).size());
        for (Runnable service : ServiceLoader.load(Runnable.class)) {
            service.run();
        }
        try {
            for (Comparable<?> broken : ServiceLoader.load(Comparable.class)) {
                System.out.println(broken);
            }
        } catch (ServiceConfigurationError e) {
            System.out.println(e.getMessage());
        }
    }

    public static class Service implements Runnable {
        public void run() {
            System.out.println("service");
        }
    }

    public static class Provided implements Runnable {
        public static Runnable provider() {
            return null;
        }

        public void run() {
            System.out.println("provided");
        }
    }
}
"#;

const RESOURCES: [(&str, &str); 6] = [
    ("texts.properties", "a=base\nb=kept\n"),
    ("texts_fr.properties", "a=autre\n"),
    ("sub/other.properties", "key=value\n"),
    ("sub/a b.txt", "with a space\n"),
    (
        "META-INF/services/java.lang.Runnable",
        "# providers\nMain$Service\nMain$Provided # another\n",
    ),
    ("META-INF/services/java.lang.Comparable", "Missing\n"),
];

fn write_jar(classes: &Path, jar: &Path) {
    let mut writer = zip::ZipWriter::new(File::create(jar).unwrap());
    let mut add = |name: &str, content: &[u8]| {
        let options = zip::write::SimpleFileOptions::default();
        writer.start_file(name, options).unwrap();
        writer.write_all(content).unwrap();
    };
    for (name, content) in RESOURCES {
        add(name, content.as_bytes());
    }
    for entry in fs::read_dir(classes).unwrap() {
        let path = entry.unwrap().path();
        if path
            .extension()
            .is_some_and(|extension| extension == "class")
        {
            let name = path.file_name().unwrap().to_str().unwrap();
            add(name, &fs::read(&path).unwrap());
        }
    }
    writer.finish().unwrap();
}

fn of_engine(home: &Path, class_path: &Path) -> String {
    let config = Config::new(Jdk::at(home).unwrap(), vec![class_path.to_owned()]);
    let mut vm = Vm::new(config).unwrap();
    let exit = vm.run_main("Main", &[]).unwrap();
    assert_eq!(exit, Exit::Done(0), "{}", vm.exit_text(&exit));
    let output = vm.output().iter().flat_map(|part| part.bytes.clone());
    String::from_utf8(output.collect()).unwrap()
}

fn of_java(home: &Path, class_path: &Path) -> String {
    let output = Command::new(home.join("bin/java"))
        .args(["-Duser.language=en", "-Duser.country=US", "-cp"])
        .arg(class_path)
        .arg("Main")
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn resources_and_services_are_those_of_java() {
    let fixture = Fixture::new(&["--release", "17"]).text("Main", MAIN);
    let folder = tempfile::tempdir().unwrap();
    let classes = folder.path().join("some classes");
    fs::create_dir(&classes).unwrap();
    for entry in fs::read_dir(fixture.classes()).unwrap() {
        let path: PathBuf = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, classes.join(path.file_name().unwrap())).unwrap();
        }
    }
    let jar = folder.path().join("all.jar");
    write_jar(&classes, &jar);
    for (name, content) in RESOURCES {
        let path = classes.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    for jdk in jdk::all_jdks() {
        for class_path in [&classes, &jar] {
            let expected = of_java(&jdk.home, class_path);
            assert!(expected.lines().count() > 12, "{expected}");
            assert_eq!(of_engine(&jdk.home, class_path), expected, "{class_path:?}");
        }
    }
}
