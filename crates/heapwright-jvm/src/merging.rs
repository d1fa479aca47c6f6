//! Places where the sides of a branch meet again, with what is live there.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::class::{Method, MethodId};
use crate::descriptor::Kind;
use crate::joins::forward_from;
use crate::vm::Vm;

/// Most instructions between a branch and the place where its sides meet.
const MAX_REGION: usize = 600;
/// Most places that are tried.
const MAX_TRIED: usize = 8;

/// Place where the sides of a branch meet.
#[derive(Clone, Debug)]
pub struct MergePoint {
    /// Instruction; `None` if the sides meet only behind the method's return.
    pub join: Option<u32>,
    /// Live registers of the frame before it, with the kinds of their values.
    pub registers: Vec<(u16, Kind)>,
}

impl Vm {
    /// Place where the sides of the branch at `pc` meet before the branch can run again; `None` if
    /// there is none near enough, or the types of its registers are unknown.
    pub fn merge_point(&mut self, method: MethodId, pc: u32) -> Option<Arc<MergePoint>> {
        if let Some(known) = self.merge_points.get(&pc) {
            return known.clone();
        }
        let found = self.find_merge_point(method, pc).map(Arc::new);
        self.merge_points.insert(pc, found.clone());
        found
    }

    fn find_merge_point(&mut self, method: MethodId, pc: u32) -> Option<MergePoint> {
        let Some(join) = self.find_meeting(self.method(method), pc) else {
            return self
                .all_return(self.method(method), pc)
                .then(|| MergePoint {
                    join: None,
                    registers: Vec::new(),
                });
        };
        // Copies that the instruction was merged with have indices of their own.
        let before = match join.checked_sub(1) {
            Some(before) if before >= self.entry(self.method(method)) => {
                self.bytecode_index(method, before).saturating_add(1)
            }
            _ => 0,
        };
        let indices = before..=self.bytecode_index(method, join);
        let kinds = crate::verify::frame_kinds(self, method, indices)?;
        let live = self.live_at(self.method(method), join);
        // Nothing is on the stack beyond the words that the verifier knows.
        let live = live
            .into_iter()
            .filter(|&register| usize::from(register) < kinds.len());
        let registers = live.map(|register| Some((register, kinds[usize::from(register)]?)));
        Some(MergePoint {
            join: Some(join),
            registers: registers.collect::<Option<Vec<(u16, Kind)>>>()?,
        })
    }

    fn find_meeting(&self, method: &Method, pc: u32) -> Option<u32> {
        let sides = self.normal_successors(method, pc);
        if sides.len() < 2 {
            return None;
        }
        let mut common: Option<BTreeSet<u32>> = None;
        for &side in &sides {
            let reached = self.reached_from(method, side, pc, None)?;
            common = Some(match common {
                None => reached,
                Some(common) => common.intersection(&reached).copied().collect(),
            });
        }
        let candidates = common?.into_iter().take(MAX_TRIED);
        candidates.into_iter().find(|&join| {
            let parts = sides
                .iter()
                .map(|&side| self.reached_from(method, side, pc, Some(join)));
            let parts: Option<Vec<BTreeSet<u32>>> = parts.collect();
            parts.is_some_and(|parts| {
                let mut region = parts.into_iter().flatten().filter(|&at| at != join);
                // Neither goes past the place, nor comes to the branch again.
                region.all(|at| {
                    at < join && self.normal_successors(method, at).iter().all(|&to| to > pc)
                })
            })
        })
    }

    /// Whether the sides of a branch lead to the method's end without coming to the branch again.
    fn all_return(&self, method: &Method, pc: u32) -> bool {
        let sides = self.normal_successors(method, pc);
        sides.len() > 1
            && sides.iter().all(|&side| {
                let reached = self.reached_from(method, side, pc, None);
                reached.is_some_and(|reached| {
                    reached.len() <= MAX_REGION
                        && reached.iter().all(|&at| {
                            let next = self.normal_successors(method, at);
                            next.iter().all(|&to| to > pc)
                        })
                })
            })
    }

    /// See [`forward_from`].
    fn reached_from(
        &self,
        method: &Method,
        start: u32,
        branch: u32,
        stop: Option<u32>,
    ) -> Option<BTreeSet<u32>> {
        let next = |at| self.normal_successors(method, at);
        forward_from(start, branch, stop, MAX_REGION, next)
    }
}
