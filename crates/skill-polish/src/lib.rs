//! Texts of skills that a model writes, as an overlay of quoted and checked slots.
//!
//! - [`Job`]: the question for one skill: what to write, and the plugin's texts as data.
//! - [`Answer`]: the slots of a model, each with the quote that it rests on.
//! - [`judge`]: the gates. A slot that fails is refused with the reason, and the planned text stays.
//! - [`PolishLock`]: the accepted slots, in `polish.lock.json` beside the skills. With it, no run needs a
//!   model, and every machine writes the same bytes.
//!
//! **Invariant:** pure; no files, no network.
//! **Invariant:** names, calls, parameters and paths are not slots, so that an answer cannot break a call.
//! **Invariant:** a slot whose source changed is not used, and that is reported.

mod answer;
mod gate;
mod job;
mod lock;
mod prompt;
mod slots;
mod sources;
#[cfg(test)]
mod tests;

pub use answer::{Answer, BrokenAnswer, answers, reply};
pub use gate::{Refused, Verdict, judge};
pub use job::Job;
pub use lock::{BrokenLock, Entry, POLISH_LOCK, PolishLock};
pub use slots::{Slot, SlotKind, Slots};
pub use sources::Sources;
