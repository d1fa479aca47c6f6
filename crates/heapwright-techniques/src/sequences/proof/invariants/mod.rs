//! Facts about a class's fields that every call keeps, and which goals they make infeasible.
//!
//! A method is a set of paths on open objects, each with what it asks of the fields before and what it
//! leaves in them (the summaries of Buy et al., thesis, 4.1.2). Every fact is supposed of all objects
//! before a call. A fact that some path need not keep is dropped, until all paths, those of constructors
//! among them, keep all facts that are left (Flanagan and Leino's Houdini). So no sequence leads to an
//! object that breaks one, and a goal that no call then comes by is infeasible.
//!
//! **Invariant:** only fields count that nothing but the code that is run can write. A path that is not
//! followed to its end keeps no fact about what could still be written.

mod fields;
mod inference;
mod report;

pub(super) use fields::is_hidden;
pub(super) use inference::prove;
