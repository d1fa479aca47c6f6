//! Output items that workers create from the structures they find.

use std::ops::ControlFlow;

use heapwright_explore::{Search, SearchState, Span};
use heapwright_jvm::Vm;
use heapwright_suite::{Case, Structure, jsonl};
use heapwright_techniques::Error;
use heapwright_techniques::invariant::Enumeration;
use heapwright_techniques::observe::{CallsLeftOut, Observer};
use heapwright_techniques::parts::{Consumer, Producer, StopCheck};
use heapwright_techniques::read::StructureReader;
use serde::{Deserialize, Serialize};

use super::args::EnumerateArgs;
use crate::interrupt::StopSignal;
use crate::options::Format;
use crate::progress::ProgressLines;

/// Approximate memory of an object of a structure in bytes.
const OBJECT: usize = 256;

/// Output item of a structure.
#[derive(Serialize, Deserialize)]
pub enum OutputItem {
    /// Line of text, with the structure's position in the tree where it is needed.
    Line(String, #[serde(skip)] Option<Span>),
    /// Structure as data.
    Structure(Structure),
    /// Test case, with the number of calls left out of it.
    Case(Case, CallsLeftOut),
}

/// Item of a structure, and the structure itself if reports are to draw it.
pub type DrawnItem = (OutputItem, Option<Structure>);

/// Maker of items on one engine.
pub struct ItemMaker {
    format: Option<Format>,
    one_per_class: bool,
    keeps_place: bool,
    draws: bool,
    reader: StructureReader,
    observer: Option<Observer>,
}

impl ItemMaker {
    /// Creates a maker for the requested items; `stop` ends its observations.
    ///
    /// # Errors
    /// A method cannot be called with arguments within the bounds.
    pub fn new(
        vm: &mut Vm,
        enumeration: &Enumeration,
        arguments: &EnumerateArgs,
        stop: StopCheck,
    ) -> Result<ItemMaker, Error> {
        let format = arguments.format();
        let observer = if format == Some(Format::Junit) {
            let (calls, steps) = (arguments.observed_calls(), arguments.max_steps());
            let observer = Observer::of_calls(vm, enumeration, calls, steps, stop);
            Some(observer?)
        } else {
            None
        };
        Ok(ItemMaker {
            format,
            one_per_class: arguments.one_per_class,
            keeps_place: arguments.shard.is_some(),
            draws: arguments.reports.report.is_some(),
            reader: StructureReader::new(vm, enumeration.class),
            observer,
        })
    }
}

impl Producer for ItemMaker {
    type Item = DrawnItem;

    fn wants(&self, search: &dyn Search) -> bool {
        !self.one_per_class || search.class().is_some_and(|class| class.is_first)
    }

    fn produce(
        &mut self,
        vm: &mut Vm,
        enumeration: &Enumeration,
        search: &dyn Search,
    ) -> (DrawnItem, u64) {
        let root = enumeration.space.root;
        // Only the number of structures is requested.
        if self.format.is_none() && !self.draws {
            return ((OutputItem::Line(String::new(), None), None), 1);
        }
        let snapshot = self.reader.read(vm, root);
        let drawn = self.draws.then(|| snapshot.structure.clone());
        let mut bytes = drawn.as_ref().map_or(0, |it| OBJECT * it.objects.len());
        if let Some(observer) = &mut self.observer {
            let calls = observer.observe(vm, &mut self.reader, root, &snapshot);
            bytes += OBJECT * (snapshot.structure.objects.len() + calls.len());
            let input = snapshot.structure;
            let case = Case {
                input,
                construction: None,
                calls,
            };
            let item = OutputItem::Case(case, observer.take_left_out());
            return ((item, drawn), bytes as u64);
        }
        let structure = snapshot.structure;
        let line = match self.format {
            None => String::new(),
            Some(Format::Text) => structure.to_string(),
            Some(Format::Jsonl) => jsonl::line(&structure),
            Some(_) => {
                bytes += OBJECT * structure.objects.len();
                return ((OutputItem::Structure(structure), drawn), bytes as u64);
            }
        };
        bytes += line.len();
        let place = self.keeps_place.then(|| search.resume_point().0);
        ((OutputItem::Line(line, place), drawn), bytes as u64)
    }
}

/// Collector of items that shows progress and stops the search on an interruption.
pub struct ItemCollector<F> {
    interrupt: StopSignal,
    line: ProgressLines,
    take: F,
    /// Error that ended the collection.
    failure: Option<anyhow::Error>,
}

impl<F: FnMut(DrawnItem) -> anyhow::Result<()>> ItemCollector<F> {
    /// Creates a collector that passes each item to `take`.
    pub fn new(interrupt: StopSignal, line: ProgressLines, take: F) -> ItemCollector<F> {
        ItemCollector {
            interrupt,
            line,
            take,
            failure: None,
        }
    }

    /// Ends the collection.
    ///
    /// # Errors
    /// An item could not be written.
    pub fn finish(mut self) -> anyhow::Result<()> {
        self.line.clear();
        self.failure.map_or(Ok(()), Err)
    }
}

impl<F: FnMut(DrawnItem) -> anyhow::Result<()>> Consumer<DrawnItem> for ItemCollector<F> {
    fn take(&mut self, item: DrawnItem) -> ControlFlow<()> {
        match (self.take)(item) {
            Ok(()) => ControlFlow::Continue(()),
            Err(error) => {
                self.failure = Some(error);
                ControlFlow::Break(())
            }
        }
    }

    fn watch(&mut self, state: &SearchState) {
        self.line.update_search(state);
    }

    fn stopper(&self) -> StopCheck {
        self.interrupt.stop()
    }
}
