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
