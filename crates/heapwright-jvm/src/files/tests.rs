use super::*;

const WRITE: OpenOptions = OpenOptions {
    read: true,
    write: true,
    append: false,
    truncate: false,
    create: true,
    create_new: false,
};

fn empty() -> Files {
    Files::new(Installed::default(), 1 << 10)
}

#[test]
fn paths_are_normalized() {
    for (given, wanted) in [
        ("", "/"),
        ("a", "/a"),
        ("/a//b/./c/", "/a/b/c"),
        ("/a/../../b", "/b"),
    ] {
        assert_eq!(normalized(given), wanted, "{given}");
    }
}

#[test]
fn no_way_leads_through_what_is_no_folder() {
    let mut files = empty();
    files.create_folder("/d", 0).unwrap();
    files.open("/d/f", WRITE, 0).unwrap();
    for (given, wanted) in [
        ("", "/"),
        ("/d//./f", "/d/f"),
        ("d/../d/f", "/d/f"),
        ("/../tmp/..", "/"),
        ("/missing/..", "/missing/.."),
        ("/missing/../..", "/missing/../.."),
        ("/d/f/../f", "/d/f/../f"),
    ] {
        assert_eq!(files.located(given), wanted, "{given}");
    }
    assert!(files.attributes("/missing/..").is_err());
}

#[test]
fn content_is_read_back() {
    let mut files = empty();
    let file = files.open("/a", WRITE, 7).unwrap();
    files.write(file, b"hello", 8).unwrap();
    assert_eq!(files.read(file, 9), Ok(Vec::new()));
    files.seek(file, 1).unwrap();
    assert_eq!(files.read(file, 3), Ok(b"ell".to_vec()));
    files.write_at(file, 7, b"!", 9).unwrap();
    assert_eq!(files.read_at(file, 0, 99), Ok(&b"hello\0\0!"[..]));
    files.set_length(file, 2, 10).unwrap();
    assert_eq!(files.attributes("/a").unwrap().length, 2);
    assert_eq!(files.attributes("/a").unwrap().modified, 10);
}

#[test]
fn removed_files_live_while_open() {
    let mut files = empty();
    let file = files.open("/a", WRITE, 0).unwrap();
    files.write(file, b"x", 0).unwrap();
    let kept = files.inodes.len();
    files.remove("/a").unwrap();
    assert_eq!(files.attributes("/a"), Err(FileError::NoEntry));
    assert_eq!(files.read_at(file, 0, 9), Ok(&b"x"[..]));
    files.close(file);
    assert_eq!((files.bytes, files.inodes.len()), (0, kept - 1));
}

#[test]
fn errors_have_their_names() {
    let mut files = empty();
    files.create_folder("/d", 0).unwrap();
    let file = files.open("/d/f", WRITE, 0).unwrap();
    assert_eq!(files.create_folder("/d", 0), Err(FileError::Exists));
    assert_eq!(files.create_folder("/e/f", 0), Err(FileError::NoEntry));
    assert_eq!(files.create_folder("/d/f/g", 0), Err(FileError::NotAFolder));
    assert_eq!(files.remove("/d"), Err(FileError::NotEmpty));
    assert_eq!(files.rename("/d", "/d/e"), Err(FileError::Invalid));
    assert_eq!(files.rename("/d/f", "/d"), Err(FileError::IsAFolder));
    assert_eq!(files.open("/d", WRITE, 0), Err(FileError::IsAFolder));
    assert_eq!(files.write(file, &[0; 2000], 0), Err(FileError::NoSpace));
    assert_eq!(files.read(9, 1), Err(FileError::BadDescriptor));
    files.set_permissions("/d/f", 0o444).unwrap();
    assert_eq!(files.open("/d/f", WRITE, 0), Err(FileError::AccessDenied));
}

#[test]
fn folders_move_with_their_files() {
    let mut files = empty();
    files.create_folder("/d", 0).unwrap();
    let file = files.open("/d/f", WRITE, 0).unwrap();
    files.write(file, b"x", 0).unwrap();
    files.rename("/d", "/tmp/e").unwrap();
    assert_eq!(files.list("/tmp/e"), Ok(vec!["f".to_owned()]));
    assert_eq!(
        files.list("/"),
        Ok(vec!["dev".to_owned(), "tmp".to_owned()])
    );
}

#[test]
fn installed_files_are_read_only() {
    let host = tempfile::tempdir().unwrap();
    let root = host.path().join("lib");
    std::fs::create_dir(&root).unwrap();
    std::fs::write(root.join("f"), "x").unwrap();
    std::fs::write(host.path().join("secret"), "y").unwrap();
    let mut files = Files::new(Installed::new([root.clone()]), 1 << 10);
    let path = |name: &str| format!("{}/{name}", host.path().display());
    let reads = OpenOptions {
        read: true,
        ..OpenOptions::default()
    };
    let file = files.open(&path("lib/f"), reads, 0).unwrap();
    assert_eq!(files.read(file, 9), Ok(b"x".to_vec()));
    assert_eq!(files.list(&path("lib")), Ok(vec!["f".to_owned()]));
    assert_eq!(
        files.list(&path("")[..path("").len() - 1]),
        Ok(vec!["lib".to_owned()])
    );
    assert_eq!(
        files.open(&path("secret"), reads, 0),
        Err(FileError::NoEntry)
    );
    assert_eq!(
        files.open(&path("lib/f"), WRITE, 0),
        Err(FileError::ReadOnly)
    );
    assert_eq!(
        files.open(&path("lib/g"), WRITE, 0),
        Err(FileError::ReadOnly)
    );
    assert_eq!(files.remove(&path("lib/f")), Err(FileError::ReadOnly));
}

#[test]
fn random_bytes_are_the_same_in_every_run() {
    let read = || {
        let mut files = empty();
        let reads = OpenOptions {
            read: true,
            ..OpenOptions::default()
        };
        let device = files.open("/dev/urandom", reads, 0).unwrap();
        let other = files.open("/dev/random", reads, 0).unwrap();
        let all = [device, other, device].map(|device| files.read(device, 5).unwrap());
        assert!(all[0] != all[1] && all[1] != all[2], "{all:?}");
        all
    };
    assert_eq!(read(), read());
}

/// A file system in a working folder with `d/f` and `g`.
fn in_a_folder(host: &tempfile::TempDir) -> Files {
    std::fs::create_dir(host.path().join("d")).unwrap();
    std::fs::write(host.path().join("d/f"), "x").unwrap();
    std::fs::write(host.path().join("g"), "y").unwrap();
    let mut installed = Installed::default();
    installed.run_in(host.path()).unwrap();
    Files::new(installed, 1 << 10)
}

#[test]
fn files_of_the_working_folder_change_in_memory() {
    let host = tempfile::tempdir().unwrap();
    let mut files = in_a_folder(&host);
    let path = |name: &str| files_path(&host, name);
    assert_eq!(files.located("d/../g"), path("g"));
    let reads = OpenOptions {
        read: true,
        ..OpenOptions::default()
    };
    let original = files.open(&path("d/f"), reads, 0).unwrap();
    let written = files.open(&path("d/f"), WRITE, 5).unwrap();
    files.write(written, b"new", 6).unwrap();
    let changed = files.open(&path("d/f"), reads, 0).unwrap();
    assert_eq!(files.read(changed, 9), Ok(b"new".to_vec()));
    assert_eq!(files.read(original, 9), Ok(b"x".to_vec()));
    assert_eq!(files.attributes(&path("d/f")).unwrap().modified, 6);
    files.create_folder(&path("d/e"), 0).unwrap();
    let names = |files: &Files, name: &str| files.list(&path(name)).unwrap();
    assert_eq!(names(&files, "d"), ["e", "f"]);
    files.rename(&path("d"), &path("moved")).unwrap();
    assert!(files.attributes(&path("d/f")).is_err());
    assert_eq!(names(&files, "moved"), ["e", "f"]);
    files.remove(&path("g")).unwrap();
    assert_eq!(names(&files, ""), ["moved"]);
    // What takes the place of a folder does not have its files.
    files.create_folder(&path("d"), 0).unwrap();
    assert_eq!(files.list(&path("d")), Ok(Vec::new()));
    // The host's files are as they were.
    assert_eq!(std::fs::read(host.path().join("d/f")).unwrap(), b"x");
    assert!(host.path().join("g").exists());
}

/// What was read once stays, although the host's file changes.
#[test]
fn contents_of_the_working_folder_stay() {
    let host = tempfile::tempdir().unwrap();
    let mut files = in_a_folder(&host);
    let path = files_path(&host, "g");
    let reads = OpenOptions {
        read: true,
        ..OpenOptions::default()
    };
    for _ in 0..2 {
        let file = files.open(&path, reads, 0).unwrap();
        assert_eq!(files.read(file, 9), Ok(b"y".to_vec()));
        assert_eq!(files.attributes(&path).unwrap().length, 1);
        std::fs::write(host.path().join("g"), "other").unwrap();
    }
}

fn files_path(host: &tempfile::TempDir, name: &str) -> String {
    let path = format!("{}/{name}", host.path().display());
    path.trim_end_matches('/').to_owned()
}
