//! Storage of a job: objects with names, in a folder.
//!
//! **Invariant:** an object is there as a whole or not at all. All but claims are never changed.

use std::path::Path as FilePath;
use std::time::SystemTime;

use anyhow::{Context, ensure};
use object_store::local::LocalFileSystem;
use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutPayload};
use tokio::runtime::Runtime;

/// Storage of a job.
pub struct Store {
    objects: Box<dyn ObjectStore>,
    /// Name of the job's folder in the storage.
    root: Path,
    /// Place for people.
    place: String,
    runtime: Runtime,
}

/// Object in a listing.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// Name below the job's folder.
    pub name: String,
    /// Time of its last change.
    pub modified: SystemTime,
}

impl Store {
    /// Opens the storage at a place. The folder is created if `creates` is set.
    ///
    /// # Errors
    /// The place cannot be used.
    pub fn open(place: &str, creates: bool) -> anyhow::Result<Store> {
        let folder = FilePath::new(place);
        if creates {
            std::fs::create_dir_all(folder)
                .with_context(|| format!("failed to make the folder {place}"))?;
        }
        ensure!(folder.is_dir(), "there is no folder {place}");
        let objects = LocalFileSystem::new_with_prefix(folder)
            .with_context(|| format!("failed to open {place}"))?;
        Ok(Store {
            objects: Box::new(objects.with_automatic_cleanup(false)),
            root: Path::default(),
            place: place.to_owned(),
            runtime: tokio::runtime::Builder::new_current_thread()
                .build()
                .context("failed to start the storage")?,
        })
    }

    /// Place of the job for people.
    pub fn place(&self) -> &str {
        &self.place
    }

    fn path(&self, name: &str) -> Path {
        name.split('/')
            .fold(self.root.clone(), |path, part| path.join(part))
    }

    fn shown(&self, name: &str) -> String {
        format!("{}/{name}", self.place.trim_end_matches('/'))
    }

    /// Writes an object, in place of one with the same name.
    ///
    /// # Errors
    /// The storage does not take it.
    pub fn put(&self, name: &str, content: Vec<u8>) -> anyhow::Result<()> {
        let path = self.path(name);
        let put = self.objects.put(&path, PutPayload::from(content));
        let put = self.runtime.block_on(put);
        put.with_context(|| format!("failed to write {}", self.shown(name)))?;
        Ok(())
    }

    /// Content of an object; none if there is no such object.
    ///
    /// # Errors
    /// The storage does not give it.
    pub fn get(&self, name: &str) -> anyhow::Result<Option<Vec<u8>>> {
        let path = self.path(name);
        let content = self.runtime.block_on(async {
            let found = self.objects.get(&path).await?;
            found.bytes().await
        });
        match content {
            Ok(content) => Ok(Some(content.to_vec())),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => {
                Err(error).with_context(|| format!("failed to read {}", self.shown(name)))
            }
        }
    }

    /// Objects in a folder and below, sorted by name.
    ///
    /// # Errors
    /// The storage does not list them.
    pub fn list(&self, folder: &str) -> anyhow::Result<Vec<Listed>> {
        use futures_util::TryStreamExt;
        let prefix = self.path(folder);
        let found = self.objects.list(Some(&prefix)).try_collect::<Vec<_>>();
        let found = self.runtime.block_on(found);
        let found = found.with_context(|| format!("failed to list {}", self.shown(folder)))?;
        let below = |path: &Path| {
            let parts = path.prefix_match(&self.root)?;
            let parts: Vec<String> = parts.map(|part| part.as_ref().to_owned()).collect();
            Some(parts.join("/"))
        };
        let listed = found.into_iter().filter_map(|object| {
            Some(Listed {
                name: below(&object.location)?,
                modified: object.last_modified.into(),
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
        match self.runtime.block_on(self.objects.delete(&self.path(name))) {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => {
                Err(error).with_context(|| format!("failed to remove {}", self.shown(name)))
            }
        }
    }
}
