//! Jobs in object stores: servers on this machine stand for S3, Google Cloud Storage, Azure and WebDAV. A job has the output of one run; what is damaged or refused is named.

use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::{self, sleep};
use std::time::Duration;

use heapwright_testkit::browser::packages;
use heapwright_testkit::fixtures;
use heapwright_testkit::jdk::jdks;
use heapwright_testkit::programs::installed;
use heapwright_testkit::python::Python;
use heapwright_testkit::random::Random;
use heapwright_testkit::servers::Server;

use crate::common::{program, sources_of, text};
use crate::google_storage;
use crate::job_folders::{code, said};
use crate::kubernetes::fits;

const MOTO: &[&str] = &[
    "moto[s3]==5.2.5",
    "flask==3.1.2",
    "flask-cors==6.0.2",
    "pyjwt==2.15.1",
];
const WSGIDAV: &[&str] = &["wsgidav==4.4.0", "cheroot==11.1.2"];
const AZURITE: &[&str] = &["azurite@3.37.0", "@azure/storage-blob@12.34.0"];
/// Key of Azurite's account, which is the same everywhere.
const AZURITE_KEY: &str =
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";
const PASSWORD: &str = "open-sesame";

/// Search whose structures are a file.
const SEARCH: [&str; 9] = [
    "enumerate",
    "-c",
    "fixtures.tree.SearchTree",
    "--args",
    "5",
    "--format",
    "jsonl",
    "-o",
    "out",
];

/// Server of an object store, and the environment that programs need to use it.
pub(crate) struct Storage {
    _server: Server,
    pub(crate) environment: Vec<(&'static str, String)>,
    /// URL of the job.
    pub(crate) url: String,
}

fn python(packages: &[&str], script: &str) -> Command {
    let mut command = Python::with(packages).command();
    command.arg(sources_of("object_stores").join(script));
    command
}

impl Storage {
    fn s3() -> Storage {
        let server = Server::start(&mut python(MOTO, "s3.py"), "port");
        let [port, key, secret] = &server.said[..] else {
            panic!("{:?}", server.said);
        };
        Storage {
            environment: vec![
                ("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{port}")),
                ("AWS_ACCESS_KEY_ID", key.clone()),
                ("AWS_SECRET_ACCESS_KEY", secret.clone()),
            ],
            url: "s3://bucket/some/job".to_owned(),
            _server: server,
        }
    }

    /// Google Cloud Storage, whose server writes two keys of an account to a folder.
    pub(crate) fn google(keys: &Path) -> Storage {
        let [key, lost] = ["key.json", "lost.json"].map(|name| keys.join(name));
        let mut command = python(MOTO, "gcs.py");
        let server = Server::start(command.args([&key, &lost]), "port");
        Storage {
            environment: vec![
                (
                    "GOOGLE_BASE_URL",
                    format!("http://127.0.0.1:{}", server.said[0]),
                ),
                ("GOOGLE_APPLICATION_CREDENTIALS", key.display().to_string()),
            ],
            url: "gs://bucket/some/job".to_owned(),
            _server: server,
        }
    }

    fn azure() -> Storage {
        let node = installed(
            &["node", "nodejs"],
            "nodejs",
            "tests run Azurite with Node.js",
        );
        let mut command = Command::new(node);
        command.arg(sources_of("object_stores").join("azure.js"));
        command.env("NODE_PATH", packages("azurite", AZURITE));
        command.env("AZURE_STORAGE_ACCOUNT_KEY", AZURITE_KEY);
        let server = Server::start(&mut command, "port");
        let base = format!("http://127.0.0.1:{}", server.said[0]);
        Storage {
            environment: vec![
                ("AZURE_STORAGE_USE_EMULATOR", "true".to_owned()),
                ("AZURITE_BLOB_STORAGE_URL", base),
                ("AZURE_STORAGE_ACCOUNT_NAME", "devstoreaccount1".to_owned()),
                ("AZURE_STORAGE_ACCOUNT_KEY", AZURITE_KEY.to_owned()),
            ],
            url: "az://container/some/job".to_owned(),
            _server: server,
        }
    }

    /// WebDAV server of a folder.
    fn web_dav(folder: &Path) -> Storage {
        let mut command = python(WSGIDAV, "dav.py");
        let server = Server::start(command.arg(folder).args(["me", PASSWORD]), "port");
        Storage {
            environment: vec![
                ("WEBDAV_USERNAME", "me".to_owned()),
                ("WEBDAV_PASSWORD", PASSWORD.to_owned()),
            ],
            url: format!("http://127.0.0.1:{}/some/job", server.said[0]),
            _server: server,
        }
    }

    /// The same storage with another value of a variable.
    fn with(&self, name: &str, value: &str) -> Vec<(&'static str, String)> {
        let mut environment = self.environment.clone();
        for (own, of) in &mut environment {
            if *own == name {
                value.clone_into(of);
            }
        }
        environment
    }
}

/// Folder in which programs run.
pub(crate) struct Bench {
    pub(crate) folder: tempfile::TempDir,
}

impl Bench {
    pub(crate) fn new() -> Bench {
        Bench {
            folder: tempfile::tempdir().unwrap(),
        }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub(crate) fn command(
        &self,
        environment: &[(&'static str, String)],
        arguments: &[&str],
    ) -> Command {
        let mut program = program();
        for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"] {
            program.env_remove(name);
        }
        program.args(arguments).current_dir(self.folder.path());
        program.env("JAVA_HOME", &jdks()[0].home);
        program.envs(environment.iter().map(|(name, value)| (name, value)));
        program
    }

    pub(crate) fn run(&self, storage: &Storage, arguments: &[&str]) -> Output {
        self.command(&storage.environment, arguments)
            .output()
            .unwrap()
    }

    /// Runs the search with further options.
    fn search(&self, storage: &Storage, more: &[&str]) -> Output {
        let classes = fixtures::classes();
        let given = ["-p", classes.to_str().unwrap()];
        self.run(storage, &[&SEARCH[..], &given, more].concat())
    }

    /// Runs the search itself; returns what it has said and written.
    fn whole(&self, storage: &Storage) -> ((i32, String, String), Vec<u8>) {
        let whole = said(&self.search(storage, &[]));
        let written = fs::read(self.path("out")).unwrap();
        fs::remove_file(self.path("out")).unwrap();
        (whole, written)
    }

    fn plan(&self, storage: &Storage) {
        let planned = self.search(storage, &["--job", &storage.url, "--parts", "4"]);
        assert_eq!(code(&planned), 0, "{planned:?}");
    }

    fn start(&self, storage: &Storage, more: &[&str]) -> Child {
        let arguments = [&["work", &storage.url, "-q", "-j", "1"], more].concat();
        let mut command = self.command(&storage.environment, &arguments);
        command.stdout(Stdio::null()).spawn().unwrap()
    }

    /// Works until nothing is left, by two workers.
    fn work(&self, storage: &Storage) {
        let two = [(), ()].map(|()| self.start(storage, &["--checkpoint", "60ms"]));
        for mut worker in two {
            assert!(worker.wait().unwrap().success());
        }
    }

    fn merge(&self, storage: &Storage) -> ((i32, String, String), Vec<u8>) {
        let merged = said(&self.run(storage, &["merge", &storage.url]));
        (merged, fs::read(self.path("out")).unwrap_or_default())
    }
}

pub(crate) fn refuses(output: &Output, message: &str) {
    let error = text(&output.stderr);
    assert_eq!(code(output), 2, "{error}");
    assert!(error.contains(message), "{error}");
    assert_eq!(error.lines().count(), 1, "{error}");
}

/// A job in a storage, whose two workers write results as often as they can.
pub(crate) fn has_the_output_of_one_run(storage: &Storage) {
    let bench = Bench::new();
    let whole = bench.whole(storage);
    bench.plan(storage);
    refuses(
        &bench.search(storage, &["--job", &storage.url]),
        "holds a job: name another",
    );
    let status = bench.run(storage, &["status", &storage.url]);
    assert_eq!(code(&status), 3, "{status:?}");
    assert!(text(&status.stdout).contains("0 parts done, 0 running, 0 failed, 4 waiting"));
    bench.work(storage);
    assert_eq!(code(&bench.run(storage, &["status", &storage.url])), 0);
    assert_eq!(bench.merge(storage), whole);
}

/// Programs with another environment or URL are refused.
pub(crate) fn refuses_others(
    storage: &Storage,
    credentials: (&str, &str, &str),
    place: (&str, &str),
) {
    let bench = Bench::new();
    let (name, value, message) = credentials;
    let other = storage.with(name, value);
    for verb in ["work", "status"] {
        let refused = bench
            .command(&other, &[verb, &storage.url])
            .output()
            .unwrap();
        refuses(&refused, message);
        assert!(!text(&refused.stderr).contains(value), "{refused:?}");
    }
    let (url, message) = place;
    refuses(&bench.run(storage, &["work", url]), message);
    refuses(&bench.search(storage, &["--job", url]), message);
    // No job is there.
    let none = format!("{}/other", storage.url);
    refuses(
        &bench.run(storage, &["work", &none]),
        "holds no job, as job.json is missing",
    );
}

#[test]
#[ignore = "servers: stores"]
fn a_job_in_s3_loses_nothing_with_a_worker_that_is_killed() {
    let storage = Storage::s3();
    let bench = Bench::new();
    // Nobody listens there: the program tries again for a while.
    let deaf = storage.with("AWS_ENDPOINT_URL", "http://127.0.0.1:1");
    let mut deaf = bench.command(&deaf, &["status", &storage.url]);
    let deaf = deaf
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();

    let whole = bench.whole(&storage);
    bench.plan(&storage);
    let two = [(), ()].map(|()| bench.start(&storage, &["--checkpoint", "30ms"]));
    for (mut worker, time) in two.into_iter().zip([900, 300]) {
        sleep(Duration::from_millis(time));
        worker.kill().unwrap();
        worker.wait().unwrap();
    }
    // The claims of the killed are void only after a while.
    let mut remove = python(MOTO, "s3_remove.py");
    remove.args(["bucket", "some/job/running"]);
    remove.envs(storage.environment.clone());
    assert!(remove.status().unwrap().success());
    bench.work(&storage);
    assert_eq!(bench.merge(&storage), whole);

    refuses(&deaf.wait_with_output().unwrap(), "Connection refused");
}

#[test]
#[ignore = "servers: stores"]
fn s3_that_refuses_is_named() {
    let storage = Storage::s3();
    let wrong = (
        "AWS_SECRET_ACCESS_KEY",
        "not-the-secret",
        "the credentials of the environment do not allow it",
    );
    refuses_others(&storage, wrong, ("s3://no-bucket/job", "NoSuchBucket"));
}

#[test]
#[ignore = "servers: stores"]
fn a_large_class_path_is_copied_in_pieces() {
    let keys = tempfile::tempdir().unwrap();
    let large = tempfile::tempdir().unwrap();
    let mut random = Random::new(0);
    // An archive makes noise no smaller: it takes two pieces.
    let six = |_| random.below(1 << 48).to_le_bytes().into_iter().take(6);
    let noise: Vec<u8> = (0..3 << 19).flat_map(six).collect();
    fs::write(large.path().join("noise"), &noise).unwrap();
    let more = ["-p", large.path().to_str().unwrap()];

    let google = Storage::google(keys.path());
    let has_the_output = |storage: &Storage| {
        let bench = Bench::new();
        let whole = bench.whole(storage);
        let plan = ["--job", &storage.url, "--parts", "1"];
        let planned = bench.search(storage, &[&plan[..], &more].concat());
        assert_eq!(code(&planned), 0, "{planned:?}");
        assert!(bench.start(storage, &[]).wait().unwrap().success());
        assert_eq!(bench.merge(storage), whole);
    };
    thread::scope(|scope| {
        scope.spawn(|| has_the_output(&google));
        scope.spawn(|| has_the_output(&Storage::s3()));
        scope.spawn(|| has_the_output(&Storage::azure()));
    });
    // The server tells the number of pieces in the tag.
    let copied = google_storage::objects(&google);
    let mut large = copied.iter().filter(|object| object.size > 9 << 20);
    let tag = large.next().and_then(|object| object.e_tag.as_deref());
    assert!(tag.is_some_and(|tag| tag.ends_with("-2\"")), "{copied:?}");
}

#[test]
#[ignore = "servers: stores"]
fn a_job_in_azure_has_the_output_of_one_run() {
    let storage = Storage::azure();
    has_the_output_of_one_run(&storage);
    let wrong = (
        "AZURE_STORAGE_ACCOUNT_KEY",
        "bm90LXRoZS1rZXk=",
        "the credentials of the environment do not allow it",
    );
    refuses_others(
        &storage,
        wrong,
        ("az://no-container/job", "ContainerNotFound"),
    );
}

#[test]
#[ignore = "servers: stores"]
fn a_job_on_web_dav_has_the_output_of_one_run_and_its_damage_is_named() {
    let served = tempfile::tempdir().unwrap();
    let mut storage = Storage::web_dav(served.path());
    has_the_output_of_one_run(&storage);
    let job = served.path().join("some").join("job");
    let bench = Bench::new();
    let whole = bench.whole(&storage);
    for file in files(&job) {
        let content = fs::read(&file).unwrap();
        let has = |text: &str| {
            content
                .windows(text.len())
                .any(|part| part == text.as_bytes())
        };
        assert!(!has(PASSWORD), "{}", file.display());
    }

    // Planned parts belong to the output, however the job was divided.
    let results = |part: &str| job.join("results").join(part);
    let damaged = files(&results("1"));
    for file in &damaged {
        let mut content = fs::read(file).unwrap();
        let middle = content.len() / 2;
        content[middle] ^= 1;
        fs::write(file, content).unwrap();
    }
    let merge = |storage: &Storage| bench.run(storage, &["merge", &storage.url]);
    refuses(&merge(&storage), "is damaged: remove it");
    // An upload that its worker did not end is none.
    for file in &damaged {
        let content = fs::read(file).unwrap();
        fs::write(file, &content[..content.len() / 2]).unwrap();
    }
    refuses(&merge(&storage), "have no result");
    bench.work(&storage);
    assert_eq!(bench.merge(&storage), whole);

    // A result of another job, which leaves nothing, under the name of a part.
    let url = storage.url.clone();
    storage.url.push_str("-2");
    let planned = bench.search(&storage, &["--job", &storage.url, "--parts", "1"]);
    assert_eq!(code(&planned), 0, "{planned:?}");
    assert!(bench.start(&storage, &[]).wait().unwrap().success());
    let foreign = files(&served.path().join("some").join("job-2").join("results"));
    let [foreign] = &foreign[..] else {
        panic!("{foreign:?}");
    };
    fs::remove_dir_all(results("2")).unwrap();
    fs::create_dir(results("2")).unwrap();
    let name = foreign.file_name().unwrap();
    fs::copy(foreign, results("2").join(name)).unwrap();
    storage.url = url;
    refuses(&merge(&storage), "is no result of this job: remove it");
}

/// Files of a folder and below, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        match path.is_dir() {
            true => all.extend(files(&path)),
            false => all.push(path),
        }
    }
    all.sort();
    all
}

#[test]
#[ignore = "servers: stores"]
fn web_dav_that_refuses_is_named() {
    let served = tempfile::tempdir().unwrap();
    let storage = Storage::web_dav(served.path());
    let bench = Bench::new();
    let other = storage.with("WEBDAV_PASSWORD", "not-the-password");
    let refused = bench
        .command(&other, &["work", &storage.url])
        .output()
        .unwrap();
    refuses(
        &refused,
        "the credentials of the environment do not allow it",
    );
    let mut without = bench.command(&storage.environment, &["work", &storage.url]);
    refuses(
        &without.env_remove("WEBDAV_PASSWORD").output().unwrap(),
        "WEBDAV_USERNAME is set, and WEBDAV_PASSWORD is not",
    );
}

#[test]
#[ignore = "servers: stores"]
fn pods_need_no_volume_for_a_job_with_a_url() {
    let served = tempfile::tempdir().unwrap();
    let storage = Storage::web_dav(served.path());
    let bench = Bench::new();
    bench.plan(&storage);
    let write = |more: &[&str]| {
        let options = [
            "job",
            &storage.url,
            "--kubernetes",
            "--image",
            "heapwright:jdk",
        ];
        bench.run(&storage, &[&options[..], more].concat())
    };
    refuses(&write(&["--claim", "shared"]), "needs no volume");
    refuses(
        &write(&["--secret", "a/b"]),
        "--secret \"a/b\" is no name of a secret",
    );
    let written = write(&["--secret", "keys"]);
    let said = text(&written.stdout);
    let merge = format!(
        "; when it is complete, run heapwright merge '{}'",
        storage.url
    );
    assert!(said.contains(&merge), "{written:?}");
    let path = bench.path("kubernetes").join("job.yaml");
    let checked = fits(&path, "1.37");
    assert!(checked.status.success(), "{checked:?}");
    let manifest = fs::read_to_string(&path).unwrap();
    let work = format!("args: [\"work\", \"{}\", \"--index=", storage.url);
    assert!(manifest.contains(&work), "{manifest}");
    let secret = "envFrom:\n            - secretRef: {name: \"keys\"}\n";
    assert!(manifest.contains(secret), "{manifest}");
    for other in ["volume", "workingDir", "-merge"] {
        assert!(!manifest.contains(other), "{manifest}");
    }
}

#[test]
#[ignore = "servers: stores"]
fn urls_of_no_storage_or_with_credentials_are_refused() {
    let bench = Bench::new();
    for (url, message) in [
        ("ftp://server/job", "ftp://server/job is no place of a job"),
        ("memory:///job", "memory:///job is no place of a job"),
        ("s3://", "s3:// is no place of a job"),
        (
            "https://me:secret@server/job",
            "credentials come from the environment",
        ),
        (
            "s3://key:secret@bucket/job",
            "credentials come from the environment",
        ),
        (
            "https://server/job?sig=secret",
            "credentials come from the environment",
        ),
    ] {
        for verb in ["work", "status", "merge"] {
            let refused = bench.command(&[], &[verb, url]).output().unwrap();
            refuses(&refused, message);
            assert!(!text(&refused.stderr).contains("secret"), "{refused:?}");
        }
    }
}

#[cfg(unix)]
#[test]
#[ignore = "servers: stores"]
fn a_storage_that_does_not_answer_does_not_outlast_limits() {
    use nix::sys::signal::{Signal, kill};
    use nix::unistd::Pid;

    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let environment = [
        ("AWS_ENDPOINT_URL", format!("http://127.0.0.1:{port}")),
        ("AWS_ACCESS_KEY_ID", "key".to_owned()),
        ("AWS_SECRET_ACCESS_KEY", "secret".to_owned()),
    ];
    let bench = Bench::new();
    let work = ["work", "s3://bucket/job"];
    let mut limited = bench.command(&environment, &[&work[..], &["--time-limit", "1s"]].concat());
    let limited = limited.output().unwrap();
    assert_eq!(code(&limited), 3, "{limited:?}");
    assert!(text(&limited.stderr).contains("ended by --time-limit"));
    // The connection that the limit ended comes first.
    let _ended = listener.accept().unwrap();
    let mut stopped = bench.command(&environment, &work);
    let stopped = stopped.stderr(Stdio::piped()).spawn().unwrap();
    let _open = listener.accept().unwrap();
    kill(Pid::from_raw(stopped.id() as i32), Signal::SIGINT).unwrap();
    let stopped = stopped.wait_with_output().unwrap();
    assert_eq!(code(&stopped), 130, "{stopped:?}");
    assert!(text(&stopped.stderr).contains("ended by Ctrl-C"));
}
