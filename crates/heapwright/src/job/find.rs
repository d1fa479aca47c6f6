//! Workers find parts, and claim them.
//!
//! A listing has all results of a job, and takes the longer the more there are. So a worker takes
//! several parts from one.
//!
//! **Invariant:** before a worker searches a part, it has claimed it, then found no other worker's
//! claim, and then no result of the part. What was listed before the claim says nothing of that: the
//! part may have been claimed, searched and released meanwhile.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use super::claims::{Claims, RUNNING};
use super::digest;
use super::forest::{Forest, PartId};
use super::worker::{Work, Worker};

/// Time for which a worker uses a listing, as a multiple of the time that it took.
const LISTING_USE: u32 = 50;
/// Time in which a worker that gives way to another releases its claim.
const GIVING_WAY: Duration = Duration::from_millis(100);

/// Part for a worker.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Found {
    /// Part to search.
    Part(PartId),
    /// Others search all that is left.
    Others,
    /// Nothing is left, or failed.
    Nothing,
}

/// Results when they were listed. More may be there since.
#[derive(Default)]
pub(super) struct Listing {
    pub(super) forest: Forest,
    /// Parts without a result that no worker searched then, in the order in which to take them.
    free: VecDeque<PartId>,
    /// Time after which the results are listed again.
    until: Option<Instant>,
}

impl Listing {
    /// Next part to take; none if the results are to be listed again.
    fn next(&mut self) -> Option<PartId> {
        let is_recent = self.until.is_some_and(|until| Instant::now() < until);
        match is_recent {
            true => self.free.pop_front(),
            false => None,
        }
    }
}

impl Worker<'_> {
    pub(super) fn claim_name(&self, part: &PartId) -> String {
        format!("{RUNNING}/{part}_{}", self.name)
    }

    /// Finds and claims a part.
    pub(super) fn find(&mut self) -> anyhow::Result<Found> {
        let job = self.crew.job;
        loop {
            match self.candidate()? {
                Found::Part(part) if !self.take(&part, || Ok(!job.has_result(&part)?))? => {}
                found => return Ok(found),
            }
        }
    }

    /// Part that this worker may claim: it had no result and no claim a moment ago.
    fn candidate(&mut self) -> anyhow::Result<Found> {
        let job = self.crew.job;
        let claims = Claims::read(job)?;
        while self.crew.interrupt.reason().is_none()
            && let Some(part) = self.listing.next()
        {
            let is_free = self.wants(&claims, &part) && !claims.running.contains_key(&part);
            if is_free && !job.has_result(&part)? {
                return Ok(Found::Part(part));
            }
        }
        self.list(&claims)
    }

    /// Whether this worker takes a part if it is open and nobody searches it.
    fn wants(&self, claims: &Claims, part: &PartId) -> bool {
        matches!(self.crew.wanted, Work::Part(_)) || !claims.has_failed(part)
    }

    /// Lists the results; returns the first part that this worker may claim.
    fn list(&mut self, claims: &Claims) -> anyhow::Result<Found> {
        let start = Instant::now();
        let forest = self.crew.job.forest()?;
        let mut open = self.open(&forest, claims);
        open.retain(|part| self.wants(claims, part));
        let is_free = |part: &&PartId| !claims.running.contains_key(part);
        let mut free: VecDeque<PartId> = open.iter().filter(is_free).cloned().collect();
        free.rotate_left(self.place(free.len()));
        let first = free.pop_front();
        self.listing = Listing {
            forest,
            free,
            until: Some(start + start.elapsed() * LISTING_USE),
        };
        Ok(match first {
            Some(part) => Found::Part(part),
            None if open.is_empty() => Found::Nothing,
            None => Found::Others,
        })
    }

    /// Parts without a result, of those that this worker is to search.
    fn open(&mut self, forest: &Forest, claims: &Claims) -> Vec<PartId> {
        match self.crew.wanted {
            Work::All => forest.resolve_all().open,
            Work::From(number) => {
                let mut open = forest.resolve(PartId::Planned(*number)).open;
                open.retain(|part| claims.is_free(part));
                match open.is_empty() {
                    true => forest.resolve_all().open,
                    false => open,
                }
            }
            Work::Part(number) => forest.resolve(PartId::Planned(*number)).open,
            Work::Next => match self.begun.or_else(|| next(forest, claims)) {
                Some(number) => {
                    self.begun = Some(number);
                    forest.resolve(PartId::Planned(number)).open
                }
                None => Vec::new(),
            },
        }
    }

    /// Claims a part that `is_open`, unless another worker has; returns whether the claim is held.
    ///
    /// # Errors
    /// The storage cannot be used.
    pub(super) fn take(
        &self,
        part: &PartId,
        is_open: impl FnOnce() -> anyhow::Result<bool>,
    ) -> anyhow::Result<bool> {
        let claim = self.claim_name(part);
        self.crew.claim(claim.clone())?;
        let is_alone = self.is_alone(part);
        let is_own = is_alone.and_then(|is_alone| Ok(is_alone && is_open()?));
        if !matches!(is_own, Ok(true)) {
            self.crew.release(&claim)?;
        }
        is_own
    }

    /// Whether this worker goes on, of several ones that claim a part at the same time: the first by
    /// name, unless another has gone on before it came.
    fn is_alone(&self, part: &PartId) -> anyhow::Result<bool> {
        let others = self.others(part)?;
        if others.is_empty() {
            return Ok(true);
        }
        if others.iter().any(|other| *other < self.name) {
            return Ok(false);
        }
        // Those that have only claimed the part give way; one that searches it does not.
        self.crew.pause(GIVING_WAY);
        Ok(self.others(part)?.is_empty())
    }

    /// Other workers that claim a part.
    fn others(&self, part: &PartId) -> anyhow::Result<Vec<String>> {
        let workers = Claims::running(self.crew.job)?.remove(part);
        let mut others = workers.unwrap_or_default();
        others.retain(|other| *other != self.name);
        Ok(others)
    }

    /// Place in a list of parts at which this worker begins, so that not all take the same.
    pub(super) fn place(&self, count: usize) -> usize {
        let hash = digest(self.name.as_bytes());
        let number = u64::from_str_radix(&hash[..8], 16).unwrap_or_default();
        (number % (count as u64).max(1)) as usize
    }
}

/// First planned part that no worker has begun.
fn next(forest: &Forest, claims: &Claims) -> Option<usize> {
    let planned = forest.planned().enumerate();
    let mut free = planned.filter(|(_, part)| !forest.has_result(part) && claims.is_free(part));
    free.next().map(|(index, _)| index + 1)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::sync::Arc;
    use std::thread;

    use anyhow::bail;
    use heapwright_explore::{Part, Span};
    use heapwright_jvm::jdk::Jdk;
    use heapwright_testkit::jdk::jdks;

    use super::super::search::{LocalSearch, Slice};
    use super::super::worker::Crew;
    use super::super::{
        FORMAT, Job, JobSearch, Plan, PlannedPart, PlannedSolver, ResultWriter, Store, forest,
    };
    use super::*;
    use crate::interrupt::StopSignal;

    /// Calls a function with the crew of a new job of so many parts in a folder.
    fn with_crew(parts: usize, test: impl FnOnce(&Crew<'_>)) {
        let folder = tempfile::tempdir().unwrap();
        let store = Store::open(folder.path().to_str().unwrap(), false).unwrap();
        let home = jdks()[0].home.clone();
        let part = PlannedPart {
            spans: Vec::new(),
            steps: 1,
        };
        let plan = Plan {
            format: FORMAT,
            version: String::new(),
            jdk: Jdk::find(Some(&home)).unwrap().version,
            solver: PlannedSolver::Unused,
            verb: String::new(),
            class: String::new(),
            words: Vec::new(),
            settings: None,
            class_path: Vec::new(),
            test_class_path: Vec::new(),
            classes: None,
            search: String::new(),
            parts: vec![part; parts],
            is_staged: false,
            rounds: None,
        };
        let job = Job::create(Arc::new(store), plan).unwrap();
        let local = LocalSearch::fetch(&job, Some(&home)).unwrap();
        let never = StopSignal::never();
        test(&Crew::new(&job, &local, &Work::All, Duration::ZERO, &never));
    }

    /// Search whose slice is over before the first leaf of every subtree but that below 0.
    struct Interrupted;

    impl JobSearch for Interrupted {
        fn class(&self) -> String {
            String::new()
        }

        fn identity(&self) -> String {
            String::new()
        }

        fn uses_solver(&self) -> bool {
            false
        }

        fn whole(&self) -> Vec<Span> {
            Vec::new()
        }

        fn divide(&mut self, spans: &[Span], _: usize, _: u64) -> anyhow::Result<Vec<Part>> {
            Ok(vec![Part {
                spans: spans.to_vec(),
                steps: 1,
                is_known: false,
            }])
        }

        fn search(
            &mut self,
            span: &Span,
            _: &Slice,
            result: &mut ResultWriter,
        ) -> anyhow::Result<(Vec<Span>, u64)> {
            result.begin(span);
            result.end(&0)?;
            match span.path[..] {
                [0] => Ok((Vec::new(), 1)),
                [_] => Ok((vec![span.clone()], 0)),
                _ => bail!("there is no such subtree"),
            }
        }
    }

    #[test]
    fn a_subtree_of_which_nothing_was_searched_is_in_no_result() {
        with_crew(1, |crew| {
            let spans = [0, 1].map(|number| Span::below(vec![number]));
            let never = StopSignal::never();
            let slice = Slice::new(Duration::from_secs(3_600), &Arc::default(), &never);
            let searched = worker(crew, "a").search_slice(&mut Interrupted, &spans, &slice);
            let (result, left, _) = searched.unwrap().unwrap();
            let text = String::from_utf8(result).unwrap();
            let subtrees = text.lines().filter(|line| line.starts_with('#'));
            assert_eq!(subtrees.collect::<Vec<_>>(), ["#1/0"]);
            assert_eq!(left, 1);
        });
    }

    fn worker<'a>(crew: &'a Crew<'a>, name: &str) -> Worker<'a> {
        let mut worker = Worker::new(crew, 0);
        name.clone_into(&mut worker.name);
        worker
    }

    /// Part that a worker finds and claims. It remembers what it has listed for long.
    fn found(worker: &mut Worker<'_>) -> PartId {
        let Found::Part(part) = worker.find().unwrap() else {
            panic!("nothing was found");
        };
        remember(worker);
        part
    }

    fn remember(worker: &mut Worker<'_>) {
        worker.listing.until = Some(Instant::now() + Duration::from_secs(3_600));
    }

    fn take(worker: &Worker<'_>, part: &PartId) -> bool {
        let job = worker.crew.job;
        worker.take(part, || Ok(!job.has_result(part)?)).unwrap()
    }

    /// Writes the result of a part that leaves so many parts, and releases the claim.
    fn finish(worker: &Worker<'_>, part: &PartId, left: usize) {
        let content = format!("{part} by {}", worker.name).into_bytes();
        let name = forest::name(part, &content, left, 1);
        worker.crew.job.store.put(&name, content).unwrap();
        worker.crew.release(&worker.claim_name(part)).unwrap();
    }

    fn claims(crew: &Crew<'_>) -> Vec<(PartId, Vec<String>)> {
        Claims::running(crew.job).unwrap().into_iter().collect()
    }

    #[test]
    fn what_others_have_searched_since_the_listing_is_not_searched_again() {
        with_crew(4, |crew| {
            let (mut a, mut b) = (worker(crew, "a"), worker(crew, "b"));
            let first = found(&mut a);
            finish(&a, &first, 0);

            // The other searches a part that this one is about to claim.
            let Found::Part(second) = a.candidate().unwrap() else {
                panic!("nothing was found");
            };
            assert!(take(&b, &second));
            finish(&b, &second, 2);
            assert!(!take(&a, &second));
            assert_eq!(claims(crew), []);

            // It searches a part that this one has not looked at.
            let third = a.listing.free[0].clone();
            assert!(take(&b, &third));
            finish(&b, &third, 0);
            let fourth = found(&mut a);
            assert!(![&first, &second, &third].contains(&&fourth));
            finish(&a, &fourth, 0);

            // Another listing has what is left.
            let left = [found(&mut a), found(&mut b)];
            assert!(left.iter().all(|part| matches!(part, PartId::Left(_, _))));
            assert_eq!(a.find().unwrap(), Found::Others);
            finish(&a, &left[0], 0);
            finish(&b, &left[1], 0);
            assert_eq!(a.find().unwrap(), Found::Nothing);
        });
    }

    #[test]
    fn who_comes_later_gives_way_whatever_its_name() {
        with_crew(1, |crew| {
            let part = PartId::Planned(1);
            for (name, other) in [("a", "b"), ("b", "a")] {
                let (first, later) = (worker(crew, name), worker(crew, other));
                assert!(take(&first, &part));
                assert!(!take(&later, &part));
                assert_eq!(claims(crew), [(part.clone(), vec![name.to_owned()])]);
                crew.release(&first.claim_name(&part)).unwrap();
            }
        });
    }

    #[test]
    fn of_two_that_have_claimed_a_part_the_first_by_name_goes_on() {
        with_crew(1, |crew| {
            let (a, b) = (worker(crew, "a"), worker(crew, "b"));
            let part = PartId::Planned(1);
            crew.claim(a.claim_name(&part)).unwrap();
            assert!(!take(&b, &part));
            assert!(a.is_alone(&part).unwrap());
        });
    }

    #[test]
    fn a_listing_serves_for_several_parts() {
        with_crew(5, |crew| {
            let mut a = worker(crew, "a");
            for left in (0..5).rev() {
                let part = found(&mut a);
                assert_eq!(a.listing.free.len(), left);
                finish(&a, &part, 0);
            }
            assert_eq!(a.find().unwrap(), Found::Nothing);
        });
    }

    #[test]
    fn of_many_workers_one_searches_a_part() {
        with_crew(20, |crew| {
            thread::scope(|scope| {
                for name in ["a", "b", "c", "d"] {
                    scope.spawn(move || {
                        let mut worker = worker(crew, name);
                        loop {
                            match worker.find().unwrap() {
                                Found::Part(part @ PartId::Planned(_)) => finish(&worker, &part, 2),
                                Found::Part(part) => finish(&worker, &part, 0),
                                Found::Others => thread::yield_now(),
                                Found::Nothing => break,
                            }
                            remember(&mut worker);
                        }
                    });
                }
            });
            let mut results: BTreeMap<String, usize> = BTreeMap::new();
            for listed in crew.job.store.list(forest::RESULTS).unwrap() {
                let part = listed.name.split('/').nth(1).unwrap().to_owned();
                *results.entry(part).or_default() += 1;
            }
            assert_eq!(results.len(), 60);
            assert!(results.values().all(|&count| count == 1), "{results:?}");
        });
    }
}
