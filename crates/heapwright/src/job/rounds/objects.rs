//! Objects of tasks: data, and records that say which data belong to a result.
//!
//! The name of each object ends with a digest of its content. A record is written after its data;
//! a task is done when both are there.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, bail, ensure};
use heapwright_explore::external::{LoggedRecord, RecordBlock, SpillError};
use heapwright_jvm::ReadSource;
use heapwright_techniques::api::{OutcomeTally, PortableFindings, RoundEnd, StructureSource};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::super::result::PartHeader;
use super::super::{Job, Store, digest};
use super::TaskId;

/// Folder of the objects: `rounds/EPOCH-ROUND/PHASE-NUMBER/KIND-DIGEST`.
pub const ROUNDS: &str = "rounds";
/// Folder of the names of static fields that were read.
const READS: &str = "reads";
/// Kind of a record.
const DONE: &str = "done";
/// Bytes of structures beyond which those read are read again.
const MOST_KEPT: usize = 128 << 20;

/// Result of an *expand* task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Expanded {
    /// Object of the candidates; none if the slice has none.
    pub candidates: Option<String>,
    /// Object of the sorted forms of each owner, if it has some.
    pub runs: Vec<Option<String>>,
    /// Counts of calls, without those that build something new.
    pub tally: OutcomeTally,
    /// Faults found.
    pub findings: PortableFindings,
    /// Reason why the slice ended early, if it did.
    pub ended: Option<RoundEnd>,
}

/// Result of a *settle* task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settled {
    /// Digest of the names of the records that it is made of.
    pub made_of: String,
    /// Object of the known forms.
    pub known: String,
    /// Object of the numbers of new candidates, by slice.
    pub new: String,
}

/// Result of a *gather* task.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct GatheredSlice {
    /// Digest of the names of the records that it is made of.
    pub made_of: String,
    /// New structures by class, in the order of their first ones.
    pub structures: Vec<ClassStructures>,
    /// Counts of calls.
    pub tally: OutcomeTally,
    /// Faults found.
    pub findings: PortableFindings,
    /// Whether the slice ended since the heap was full.
    pub is_heap_full: bool,
}

/// New structures of a class in a slice.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct ClassStructures {
    /// Internal name of the class.
    pub class: String,
    /// Number of structures.
    pub count: u64,
    /// Object of their records.
    pub records: String,
}

/// Result of a task.
pub trait TaskRecord: Clone + Serialize + DeserializeOwned {
    /// Objects without which the result is none.
    fn objects(&self) -> Vec<&str>;

    /// Digest of the names of the records that it is made of, if it is made of some.
    fn made_of(&self) -> Option<&str>;
}

impl TaskRecord for Expanded {
    fn objects(&self) -> Vec<&str> {
        let runs = self.runs.iter().flatten();
        let all = self.candidates.iter().chain(runs);
        all.map(String::as_str).collect()
    }

    fn made_of(&self) -> Option<&str> {
        None
    }
}

impl TaskRecord for Settled {
    fn objects(&self) -> Vec<&str> {
        vec![&self.known, &self.new]
    }

    fn made_of(&self) -> Option<&str> {
        Some(&self.made_of)
    }
}

impl TaskRecord for GatheredSlice {
    fn objects(&self) -> Vec<&str> {
        let all = self.structures.iter();
        all.map(|class| class.records.as_str()).collect()
    }

    fn made_of(&self) -> Option<&str> {
        Some(&self.made_of)
    }
}

/// Record with what it belongs to.
#[derive(Serialize, Deserialize)]
struct Framed<T> {
    job: PartHeader,
    task: String,
    result: T,
}

/// Writes an object of a task, and returns its name.
///
/// # Errors
/// The storage does not take it.
pub fn put(job: &Job, task: TaskId, kind: &str, content: Vec<u8>) -> anyhow::Result<String> {
    let name = format!("{}/{kind}-{}", task.folder(), digest(&content));
    job.store.put(&name, content)?;
    Ok(name)
}

/// Writes the result of a task, after its objects.
///
/// # Errors
/// The storage does not take it.
pub fn put_record(job: &Job, task: TaskId, result: &impl TaskRecord) -> anyhow::Result<()> {
    let framed = Framed {
        job: PartHeader::of(job),
        task: task.to_string(),
        result: result.clone(),
    };
    put(job, task, DONE, serde_json::to_vec(&framed)?)?;
    Ok(())
}

/// Reads an object, and compares it with the digest in its name.
///
/// # Errors
/// It cannot be read, is missing or damaged.
pub fn get(store: &Store, name: &str) -> anyhow::Result<Vec<u8>> {
    let place = store.place();
    let content = store.get(name)?;
    let content = content.with_context(|| {
        format!("{place}/{name} is missing: `heapwright work {place}` makes it again")
    })?;
    let stated = name.rsplit('-').next();
    ensure!(
        stated == Some(&*digest(&content)),
        "{place}/{name} is damaged: remove it, and `heapwright work {place}` makes it again"
    );
    Ok(content)
}

/// Names of the objects of a round.
pub struct RoundObjects {
    names: BTreeSet<String>,
}

impl RoundObjects {
    /// Lists the objects of a round.
    ///
    /// # Errors
    /// The storage does not list them.
    pub fn list(job: &Job, epoch: u32, round: u32) -> anyhow::Result<RoundObjects> {
        let listed = job.store.list(&format!("{ROUNDS}/{epoch}-{round}"))?;
        let names = listed.into_iter().map(|listed| listed.name);
        Ok(RoundObjects {
            names: names.collect(),
        })
    }

    /// Whether an object is there.
    pub fn has(&self, name: &str) -> bool {
        self.names.contains(name)
    }

    /// Objects of candidates, which nobody needs when the round is over.
    pub fn of_candidates(&self) -> impl Iterator<Item = &str> {
        let kinds = ["/candidates-", "/run-", "/new-"];
        let names = self.names.iter().map(String::as_str);
        names.filter(move |name| kinds.iter().any(|kind| name.contains(kind)))
    }

    /// Name of the record of a task and the result, if it has all its objects but `unneeded` ones and
    /// is made of the records with this digest.
    ///
    /// # Errors
    /// The record is damaged or of another job, or the task has several results.
    pub fn result<T: TaskRecord>(
        &self,
        job: &Job,
        task: TaskId,
        made_of: Option<&str>,
        is_needed: impl Fn(&str) -> bool,
        known: &mut Records<T>,
    ) -> anyhow::Result<Option<(String, T)>> {
        let prefix = format!("{}/{DONE}-", task.folder());
        let mut found: Option<(String, T)> = None;
        for name in self.names.range(prefix.clone()..) {
            if !name.starts_with(&prefix) {
                break;
            }
            let result = known.read(job, task, name)?;
            let is_whole = result
                .objects()
                .into_iter()
                .all(|object| !is_needed(object) || self.has(object));
            let is_same = made_of.is_none() || result.made_of() == made_of;
            if !is_whole || !is_same {
                continue;
            }
            if let Some((other, _)) = &found {
                let place = job.store.place();
                bail!(
                    "{place}/{name} and {place}/{other} are different results of one task: remove one"
                );
            }
            found = Some((name.clone(), result.clone()));
        }
        Ok(found)
    }
}

/// Records that were read.
pub struct Records<T> {
    known: BTreeMap<String, T>,
}

impl<T> Default for Records<T> {
    fn default() -> Records<T> {
        Records {
            known: BTreeMap::new(),
        }
    }
}

impl<T: TaskRecord> Records<T> {
    /// Removes all.
    pub fn clear(&mut self) {
        self.known.clear();
    }

    fn read(&mut self, job: &Job, task: TaskId, name: &str) -> anyhow::Result<&T> {
        if !self.known.contains_key(name) {
            let content = get(&job.store, name)?;
            let framed: Option<Framed<T>> = serde_json::from_slice(&content).ok();
            let own = framed.filter(|framed| {
                framed.job == PartHeader::of(job) && framed.task == task.to_string()
            });
            let own = own.with_context(|| {
                format!(
                    "{}/{name} is no result of this job: remove it",
                    job.store.place()
                )
            })?;
            self.known.insert(name.to_owned(), own.result);
        }
        Ok(&self.known[name])
    }
}

/// Digest of the names of records.
pub fn digest_of<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    let mut text = String::new();
    for name in names {
        text.push_str(name);
        text.push('\n');
    }
    digest(text.as_bytes())
}

/// Writes names of static fields that code has read.
///
/// # Errors
/// The storage does not take them.
pub fn put_reads(job: &Job, names: &BTreeSet<ReadSource>) -> anyhow::Result<()> {
    let content = serde_json::to_vec(names)?;
    let name = format!("{ROUNDS}/{READS}/{READS}-{}", digest(&content));
    job.store.put(&name, content)
}

/// Names of all static fields that code has read.
///
/// # Errors
/// An object cannot be read, or is damaged.
pub fn all_reads(job: &Job) -> anyhow::Result<BTreeSet<ReadSource>> {
    let mut all = BTreeSet::new();
    for listed in job.store.list(&format!("{ROUNDS}/{READS}"))? {
        let content = get(&job.store, &listed.name)?;
        all.extend(serde_json::from_slice::<BTreeSet<ReadSource>>(&content)?);
    }
    Ok(all)
}

/// Structures that were read last.
pub struct BlockCache {
    store: Arc<Store>,
    /// The last used block is the last.
    kept: Mutex<Vec<(String, Arc<RecordBlock>)>>,
}

impl BlockCache {
    /// Creates an empty cache.
    pub fn new(store: &Arc<Store>) -> Arc<BlockCache> {
        Arc::new(BlockCache {
            store: Arc::clone(store),
            kept: Mutex::default(),
        })
    }

    /// The structures of an object.
    ///
    /// # Errors
    /// It cannot be read.
    pub fn get(&self, name: &str) -> anyhow::Result<Arc<RecordBlock>> {
        let lock = || self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        let mut kept = lock();
        let found = kept.iter().rposition(|(known, _)| known == name);
        if let Some(place) = found {
            let used = kept.remove(place);
            let block = Arc::clone(&used.1);
            kept.push(used);
            return Ok(block);
        }
        drop(kept);
        let block = Arc::new(RecordBlock::new(get(&self.store, name)?));
        let mut kept = lock();
        kept.push((name.to_owned(), Arc::clone(&block)));
        let mut bytes: usize = kept.iter().map(|(_, block)| block.memory()).sum();
        while bytes > MOST_KEPT && kept.len() > 1 {
            bytes -= kept.remove(0).1.memory();
        }
        Ok(block)
    }
}

/// Object of consecutive structures of a class.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Segment {
    /// Number of its first structure.
    pub first: u64,
    /// Name of the object.
    pub object: String,
}

/// Structures of a class in the storage.
pub struct StoredStructures {
    /// Objects in the order of the structures.
    segments: Arc<Vec<Segment>>,
    blocks: Arc<BlockCache>,
    /// The block that was last read, with the number of its object.
    last: Mutex<Option<(usize, Arc<RecordBlock>)>>,
}

impl StoredStructures {
    /// Structures in these objects.
    pub fn new(segments: &Arc<Vec<Segment>>, blocks: &Arc<BlockCache>) -> StoredStructures {
        StoredStructures {
            segments: Arc::clone(segments),
            blocks: Arc::clone(blocks),
            last: Mutex::default(),
        }
    }

    fn block(&self, place: usize) -> anyhow::Result<Arc<RecordBlock>> {
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((known, block)) = &*last
            && *known == place
        {
            return Ok(Arc::clone(block));
        }
        let block = self.blocks.get(&self.segments[place].object)?;
        *last = Some((place, Arc::clone(&block)));
        Ok(block)
    }
}

impl StructureSource for StoredStructures {
    fn record(&self, index: u64) -> Result<Option<LoggedRecord>, SpillError> {
        let segments = &self.segments;
        let after = segments.partition_point(|segment| segment.first <= index);
        let Some(place) = after.checked_sub(1) else {
            return Ok(None);
        };
        let block = self.block(place).map_err(|error| SpillError::Read {
            folder: self.blocks.store.place().to_owned(),
            reason: format!("{error:#}"),
        })?;
        let segment = &segments[place];
        Ok(LoggedRecord::of(&block, (index - segment.first) as usize))
    }
}
