//! Storage of a job: objects with names, in a folder or in an object store.
//!
//! **Invariant:** an object is there as a whole or not at all, but for uploads to WebDAV, of which the
//! names of results tell. All but claims are never changed.

use std::path::Path as FilePath;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant, SystemTime};

use anyhow::{Context, ensure};
use futures_util::TryStreamExt;
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{Error, ObjectMeta, ObjectStore, ObjectStoreExt, PutPayload, WriteMultipart};
use tokio::runtime::Runtime;

use super::digest;
use super::remote;

/// Folder of the objects whose times tell the storage's clock.
const CLOCK: &str = "clock";
/// Time after which the storage's clock is read again.
const CLOCK_VALID: Duration = Duration::from_secs(60);
/// Bytes of the pieces in which an object store takes a large object, and pieces at the same time.
const PIECE: usize = 8 << 20;
const MOST_PIECES: usize = 4;
/// Attempts at what other workers on WebDAV disturb, and the time between two.
const ATTEMPTS: usize = 4;
const PAUSE: Duration = Duration::from_millis(250);

/// Storage of a job.
pub struct Store {
    objects: Box<dyn ObjectStore>,
    kind: StoreKind,
    /// Name of the job's folder in the storage.
    root: Path,
    /// Place for people.
    place: String,
    /// Time by the storage's clock, and when that was read.
    clock: Mutex<Option<(SystemTime, Instant)>>,
    runtime: Runtime,
}

/// Storage that was opened.
pub struct OpenedStorage {
    /// Objects of the storage.
    pub objects: Box<dyn ObjectStore>,
    /// Kind of the storage.
    pub kind: StoreKind,
    /// Name of the job's folder in it.
    pub root: Path,
}

/// Whether a place is a URL rather than a folder.
pub fn is_url(place: &str) -> bool {
    place.contains("://")
}

/// Kind of a storage.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoreKind {
    /// Folder.
    Folder,
    /// Object store, which takes an object as a whole or not at all.
    Objects,
    /// WebDAV server: others may see a part of an object while it is uploaded, and requests of
    /// several workers may disturb one another.
    WebDav,
}

/// Object in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Name below the job's folder.
    pub name: String,
    /// Time of its last change by the storage's clock.
    pub modified: SystemTime,
    /// Number of bytes.
    pub size: u64,
}

impl Store {
    /// Opens the storage at a place, a folder or a URL. The folder is created if `creates` is set.
    ///
    /// # Errors
    /// The place cannot be used.
    pub fn open(place: &str, creates: bool) -> anyhow::Result<Store> {
        let OpenedStorage {
            objects,
            kind,
            root,
        } = match is_url(place) {
            true => remote::open(place)?,
            false => folder(place, creates)?,
        };
        // A thread of its own sees connections that a server has closed.
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .enable_all()
            .build();
        Ok(Store {
            objects,
            kind,
            root,
            place: place.to_owned(),
            clock: Mutex::default(),
            runtime: runtime.context("failed to start the storage")?,
        })
    }

    /// Place of the job for people.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Kind of the storage.
    pub fn kind(&self) -> StoreKind {
        self.kind
    }

    fn path(&self, name: &str) -> Path {
        name.split('/')
            .fold(self.root.clone(), |path, part| path.join(part))
    }

    fn shown(&self, name: &str) -> String {
        format!("{}/{name}", self.place.trim_end_matches('/'))
    }

    /// Failure of a request in one line.
    fn failure(&self, action: &str, name: &str, error: &Error) -> anyhow::Error {
        let shown = self.shown(name);
        match self.kind {
            StoreKind::Folder => anyhow::anyhow!("failed to {action} {shown}: {error}"),
            _ => anyhow::anyhow!("failed to {action} {shown}: {}", remote::reason(error)),
        }
    }

    /// Sends a request, again if another worker may have disturbed it.
    fn request<T>(&self, send: impl AsyncFn() -> Result<T, Error>) -> Result<T, Error> {
        self.runtime.block_on(async {
            let attempts = match self.kind {
                StoreKind::WebDav => ATTEMPTS,
                StoreKind::Folder | StoreKind::Objects => 1,
            };
            for _ in 1..attempts {
                match send().await {
                    Err(error) if remote::is_disturbed(&error) => tokio::time::sleep(PAUSE).await,
                    sent => return sent,
                }
            }
            send().await
        })
    }

    /// Writes an object, in place of one with the same name.
    ///
    /// # Errors
    /// The storage does not take it.
    pub fn put(&self, name: &str, content: Vec<u8>) -> anyhow::Result<()> {
        let path = self.path(name);
        let put = match self.kind == StoreKind::Objects && content.len() > PIECE {
            true => self.runtime.block_on(self.put_pieces(&path, &content)),
            false => {
                let payload = PutPayload::from(content);
                let put = self.request(async || self.objects.put(&path, payload.clone()).await);
                put.map(|_| ())
            }
        };
        put.map_err(|error| self.failure("write", name, &error))
    }

    /// Uploads a large object in pieces, so that none takes long. It is there with the last.
    async fn put_pieces(&self, path: &Path, content: &[u8]) -> Result<(), Error> {
        let upload = self.objects.put_multipart(path).await?;
        let mut upload = WriteMultipart::new_with_chunk_size(upload, PIECE);
        for piece in content.chunks(PIECE) {
            if let Err(error) = upload.wait_for_capacity(MOST_PIECES).await {
                let _ = upload.abort().await;
                return Err(error);
            }
            upload.write(piece);
        }
        upload.finish().await?;
        Ok(())
    }

    /// Content of an object; none if there is no such object.
    ///
    /// # Errors
    /// The storage does not give it.
    pub fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let path = self.path(name);
        let content = self.request(async || self.objects.get(&path).await?.bytes().await);
        match content {
            Ok(content) => Ok(Some(content.to_vec())),
            Err(error @ Error::NotFound { .. }) if !remote::lacks_bucket(&error) => Ok(None),
            Err(error) => Err(self.failure("read", name, &error)),
        }
    }

    /// Objects in a folder and below, sorted by name.
    ///
    /// # Errors
    /// The storage does not list them.
    pub fn list(&self, folder: &str) -> anyhow::Result<Vec<Listed>> {
        let prefix = self.path(folder);
        let list = async || {
            let all = self.objects.list(Some(&prefix));
            all.try_collect::<Vec<ObjectMeta>>().await
        };
        let found = self.request(list);
        let found = found.map_err(|error| self.failure("list", folder, &error))?;
        let below = |path: &Path| {
            let parts = path.prefix_match(&self.root)?;
            let parts: Vec<String> = parts.map(|part| part.as_ref().to_owned()).collect();
            Some(parts.join("/"))
        };
        let listed = found.into_iter().filter_map(|object| {
            Some(Listed {
                name: below(&object.location)?,
                modified: object.last_modified.into(),
                size: object.size,
            })
        });
        let mut listed: Vec<Listed> = listed.collect();
        listed.sort_by(|one, other| one.name.cmp(&other.name));
        Ok(listed)
    }

    /// Removes an object, if it is there.
    ///
    /// # Errors
    /// The storage does not remove it.
    pub fn remove(&self, name: &str) -> anyhow::Result<()> {
        let path = self.path(name);
        match self.request(async || self.objects.delete(&path).await) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(self.failure("remove", name, &error)),
        }
    }

    /// Time by the storage's clock, to which those of listings compare. That of this machine may be
    /// another. Who may only read has none but the latter.
    pub fn now(&self) -> SystemTime {
        let mut clock = self.clock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((time, read)) = *clock
            && read.elapsed() < CLOCK_VALID
        {
            return time + read.elapsed();
        }
        let read = Instant::now();
        let Ok(time) = self.written_time() else {
            return SystemTime::now();
        };
        *clock = Some((time, read));
        time + read.elapsed()
    }

    /// Time that the storage gives to an object which is written now.
    fn written_time(&self) -> anyhow::Result<SystemTime> {
        let unique = format!("{}-{:?}", std::process::id(), SystemTime::now());
        let name = format!("{CLOCK}/{}", digest(unique.as_bytes()));
        self.put(&name, Vec::new())?;
        let path = self.path(&name);
        let head = self.request(async || self.objects.head(&path).await);
        self.remove(&name)?;
        Ok(head?.last_modified.into())
    }
}

/// Opens a folder.
fn folder(place: &str, creates: bool) -> anyhow::Result<OpenedStorage> {
    let folder = FilePath::new(place);
    if creates {
        std::fs::create_dir_all(folder)
            .with_context(|| format!("failed to make the folder {place}"))?;
    }
    ensure!(folder.is_dir(), "there is no folder {place}");
    let objects = LocalFileSystem::new_with_prefix(folder)
        .with_context(|| format!("failed to open {place}"))?;
    Ok(OpenedStorage {
        objects: Box::new(objects.with_automatic_cleanup(false)),
        kind: StoreKind::Folder,
        root: Path::default(),
    })
}
