//! Sets on disk hold what a set in memory holds, in the same order; damage is an error.

use std::path::Path;
use std::sync::Arc;

use super::*;
use crate::canonical::CanonicalForm;
use crate::reached::{FormSet, Record};

/// Small deterministic generator of numbers.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % limit
    }

    /// Form of few or many different values, some longer than the keys that are sorted.
    fn form(&mut self, values: usize) -> Vec<u8> {
        let value = self.below(values) as u32;
        let mut form = vec![7; value as usize % 30];
        form.extend_from_slice(&value.to_be_bytes());
        form
    }
}

type OwnedRecord = (Vec<u8>, Vec<u8>, Vec<u8>);

fn owned(record: Record<'_>) -> OwnedRecord {
    let parts = [record.form.compared, record.form.omitted, record.origin];
    parts.map(<[u8]>::to_vec).into()
}

/// Set on disk, as searches use one.
struct Stored {
    folder: Arc<SpillFolder>,
    candidates: Candidates,
    known: KnownForms,
    log: RecordLog,
}

impl Stored {
    fn new(path: &Path, memory: u64, matching: bool) -> Stored {
        let folder = SpillFolder::new(path);
        Stored {
            candidates: Candidates::new(&folder, memory, matching, Arc::new(|| false)).unwrap(),
            known: KnownForms::new(),
            log: RecordLog::new(&folder).unwrap(),
            folder,
        }
    }

    fn resolve(&mut self) -> Result<(), SpillError> {
        let log = &mut self.log;
        let mut keep = |is_new: bool, record: Record<'_>| match is_new {
            true => log.append(record.form, record.origin),
            false => Ok(()),
        };
        let new = (self.candidates).resolve(&self.known, &mut keep)?;
        self.log.seal()?;
        new.into_iter().for_each(|new| self.known.add(new));
        self.candidates.clear()?;
        self.known.merge(&self.folder, &|| false)
    }

    fn records(&self) -> Result<Vec<OwnedRecord>, SpillError> {
        let mut all = Vec::new();
        self.log.scan(|record| {
            all.push(owned(record));
            Ok(())
        })?;
        Ok(all)
    }
}

#[test]
fn random_sets_are_those_in_memory() {
    let folder = tempfile::tempdir().unwrap();
    for seed in 0..60 {
        let mut numbers = Numbers(seed);
        let matching = seed % 7 != 6;
        let values = [3, 100, 3_000, 1_000_000][numbers.below(4)];
        let memory = [1, 500, 5_000, 1 << 20][numbers.below(4)];
        let mut stored = Stored::new(folder.path(), memory, matching);
        let mut expected = FormSet::default();
        let mut forms = Vec::new();
        for number in 0..1 + numbers.below(4_000) {
            let bytes = numbers.form(values);
            let form = CanonicalForm {
                compared: &bytes,
                omitted: &bytes[..number % 3],
            };
            let origin = (number as u32).to_le_bytes();
            match matching {
                true => {
                    expected.insert(FormSet::hash(&bytes), form, &origin);
                }
                false => expected.append(form, &origin),
            }
            stored.candidates.add(form, &origin).unwrap();
            if stored.candidates.is_due(stored.log.size()) || numbers.below(300) == 0 {
                stored.resolve().unwrap();
            }
            forms.push(bytes);
        }
        stored.resolve().unwrap();
        let expected: Vec<OwnedRecord> = expected.from(0).map(owned).collect();
        assert_eq!(stored.records().unwrap(), expected, "seed {seed}");
        for _ in 0..100 {
            let number = numbers.below(expected.len());
            let record = stored.log.get(number as u64).unwrap().unwrap();
            assert_eq!(owned(record.get()), expected[number], "seed {seed}");
        }
        assert!(stored.log.get(expected.len() as u64).unwrap().is_none());
        if matching {
            let places = expected
                .iter()
                .map(|(form, ..)| stored.known.place_of(form));
            let mut places: Vec<Option<u64>> = places.collect::<Result<_, _>>().unwrap();
            places.sort_unstable();
            let numbers = (0..expected.len() as u64).map(Some);
            assert_eq!(places, numbers.collect::<Vec<_>>(), "seed {seed}");
            assert_eq!(stored.known.place_of(&[9; 3]), Ok(None));
        }
    }
}

#[test]
fn files_are_removed_and_counted() {
    let path = tempfile::tempdir().unwrap();
    let mut stored = Stored::new(path.path(), 10_000, true);
    let mut numbers = Numbers(1);
    for _ in 0..5_000 {
        let bytes = numbers.form(100_000);
        let form = CanonicalForm {
            compared: &bytes,
            omitted: &[],
        };
        stored.candidates.add(form, &[]).unwrap();
    }
    stored.resolve().unwrap();
    let folder = Arc::clone(&stored.folder);
    assert_eq!(folder.in_use(), stored.known.size() + stored.log.size());
    assert!(folder.peak() > folder.in_use());
    drop(stored);
    assert_eq!(folder.in_use(), 0);
    assert_eq!(std::fs::read_dir(path.path()).unwrap().count(), 0);
}

/// Whatever byte is changed, everything that is read is either as it was written or an error.
#[test]
fn a_damaged_file_is_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let written = |first: usize| {
        let mut stored = Stored::new(folder.path(), 8_000, true);
        let mut numbers = Numbers(5);
        for number in 0..first + 1_500 {
            let bytes = numbers.form(100_000);
            let form = CanonicalForm {
                compared: &bytes,
                omitted: &[],
            };
            stored.candidates.add(form, &[]).unwrap();
            if number == first {
                stored.resolve().unwrap();
            }
        }
        stored
    };
    let mut size = 0;
    let is_damage = |error: &SpillError| error.to_string().contains("damaged");
    let mut place = 0;
    loop {
        // Of the log.
        let mut stored = written(1_500);
        size = size.max(stored.log.size()).max(stored.known.size());
        stored.log.damage(place % stored.log.size());
        let records = stored.records().unwrap_err();
        assert!(is_damage(&records), "{records}");
        // Of what is known.
        let mut stored = written(1_500);
        let run = &mut stored.known.runs()[0];
        run.damage(place % run.size());
        let resolved = stored.resolve().unwrap_err();
        assert!(is_damage(&resolved), "{resolved}");
        // Of a sorted run of candidates.
        let mut stored = written(1_500);
        let (_, runs) = stored.candidates.parts();
        let run = &mut runs[0];
        run.damage(place % run.size());
        let resolved = stored.resolve().unwrap_err();
        assert!(is_damage(&resolved), "{resolved}");
        // Of the candidates.
        let mut stored = written(1_500);
        let (log, _) = stored.candidates.parts();
        log.damage(place % log.size());
        let resolved = stored.resolve().unwrap_err();
        assert!(is_damage(&resolved), "{resolved}");
        place += 211;
        if place > size {
            break;
        }
    }
}

#[test]
fn a_folder_that_cannot_be_written_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let missing = folder.path().join("none");
    let error = RecordLog::new(&SpillFolder::new(&missing)).err().unwrap();
    let text = error.to_string();
    assert!(text.contains(&missing.display().to_string()), "{text}");
}

#[test]
fn a_search_for_new_forms_stops_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let mut stored = Stored::new(folder.path(), 1 << 20, true);
    for number in 0..40_000u32 {
        let form = CanonicalForm {
            compared: &number.to_be_bytes(),
            omitted: &[],
        };
        stored.candidates.add(form, &[]).unwrap();
    }
    stored.candidates.stop_now();
    let mut keep = |_: bool, _: Record<'_>| Ok(());
    let stopped = (stored.candidates).resolve(&stored.known, &mut keep);
    assert_eq!(stopped.err(), Some(SpillError::Stopped));
}
