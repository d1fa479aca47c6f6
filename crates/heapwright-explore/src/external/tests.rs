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

/// Forms that several owners know, as workers of a job exchange them.
#[derive(Default)]
struct Owned {
    /// Runs of each round, with the number of owners in it.
    rounds: Vec<(u32, Vec<SortedRun>)>,
}

impl Owned {
    /// Runs of the rounds before `round` that a range needs, and how many of them that round does
    /// not merge: round r holds the forms of as many rounds as the lowest bit of r says.
    fn known(
        &self,
        round: usize,
        range: OwnerRange,
        folder: &Arc<SpillFolder>,
    ) -> (Vec<SortedRun>, usize) {
        let first = round - (1 << round.trailing_zeros());
        let mut parts = Vec::new();
        let mut last = round - 1;
        while last > 0 {
            parts.push(last);
            last -= 1 << last.trailing_zeros();
        }
        let (mut known, mut kept) = (Vec::new(), 0);
        for part in parts.into_iter().rev() {
            let (of, runs) = &self.rounds[part - 1];
            for (number, run) in (0..).zip(runs) {
                if (OwnerRange { number, of: *of }).overlaps(range) {
                    let bytes = run.to_bytes().unwrap();
                    known.push(SortedRun::from_bytes(&bytes, folder).unwrap());
                }
            }
            if part <= first {
                kept = known.len();
            }
        }
        (known, kept)
    }
}

#[test]
fn owners_find_what_one_set_finds() {
    let path = tempfile::tempdir().unwrap();
    let folder = SpillFolder::new(path.path());
    for seed in 0..40 {
        let mut numbers = Numbers(seed);
        let values = [30, 1_000, 100_000][numbers.below(3)];
        let mut expected = FormSet::default();
        let mut found: Vec<OwnedRecord> = Vec::new();
        let mut known_forms = Owned::default();
        for round in 1..2 + numbers.below(9) {
            let owners = 1 + numbers.below(5) as u32;
            let mut slices = Vec::new();
            for _ in 0..1 + numbers.below(4) {
                let mut slice = FormSet::default();
                for _ in 0..numbers.below(800) {
                    let bytes = numbers.form(values);
                    let form = CanonicalForm {
                        compared: &bytes,
                        omitted: &bytes[..bytes.len() % 3],
                    };
                    let origin = (slice.len() as u32).to_le_bytes();
                    let hash = FormSet::hash(&bytes);
                    expected.insert(hash, form, &origin);
                    slice.insert(hash, form, &origin);
                }
                let mut records = RecordBytes::default();
                for record in slice.from(0) {
                    records.append(record.form, record.origin);
                }
                let block = Arc::new(RecordBlock::new(records.into_bytes()));
                let runs = divide(&block, owners, &folder).unwrap();
                slices.push((block, runs));
            }
            let mut new: Vec<Vec<u64>> = vec![Vec::new(); slices.len()];
            let mut settled = Vec::new();
            for number in 0..owners {
                let range = OwnerRange { number, of: owners };
                let (known, kept) = known_forms.known(round, range, &folder);
                let (mut candidates, mut of) = (Vec::new(), Vec::new());
                for (slice, (_, runs)) in slices.iter_mut().enumerate() {
                    if let Some(run) = runs[number as usize].take() {
                        candidates.push(run);
                        of.push(slice);
                    }
                }
                let mut keep = |run: usize, number: u64| new[of[run]].push(number);
                let never = &|| false;
                let run = settle(
                    &candidates,
                    (&known, kept),
                    range,
                    &folder,
                    never,
                    &mut keep,
                );
                settled.push(run.unwrap());
            }
            known_forms.rounds.push((owners, settled));
            for ((block, _), mut new) in slices.iter().zip(new) {
                new.sort_unstable();
                let records = new
                    .into_iter()
                    .map(|number| LoggedRecord::of(block, number as usize));
                found.extend(records.map(|record| owned(record.unwrap().get())));
            }
        }
        let expected: Vec<OwnedRecord> = expected.from(0).map(owned).collect();
        assert_eq!(found, expected, "seed {seed}");
    }
}

#[test]
fn each_hash_has_one_owner() {
    for of in 1..9 {
        for number in 0..of {
            let range = OwnerRange { number, of };
            for other_of in 1..9 {
                let others = (0..other_of).map(|number| OwnerRange {
                    number,
                    of: other_of,
                });
                let overlapping: Vec<OwnerRange> =
                    others.filter(|&other| range.overlaps(other)).collect();
                for form in 0..2_000u32 {
                    let form = form.to_be_bytes();
                    let owner = OwnerRange {
                        number: OwnerRange::owner(&form, other_of),
                        of: other_of,
                    };
                    assert!(owner.owns(&form));
                    assert!(!range.owns(&form) || overlapping.contains(&owner));
                }
            }
        }
    }
}
