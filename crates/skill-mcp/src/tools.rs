//! The tools, for hosts that hide resources from the model.
//!
//! - `answer`: the result of a call. A refusal is an answer that the model reads, not an error of
//!   the protocol.
//! - `encode`: the result as a value of the SDK, or as JSON.
//! - One file for each tool.

mod answer;
mod arguments;
mod call;
mod describe;
mod encode;
mod list;
mod read;
mod required;
mod resource;
mod search;
mod unload;
mod usage;

pub(crate) use answer::{DATA, Refusal, result, with_data};
pub(crate) use arguments::Arguments;
pub(crate) use call::Call;
pub(crate) use encode::{Encode, Json};
pub(crate) use usage::absolute;

use crate::names::ToolKind;

/// Answers a call of a tool and encodes the answer.
pub(crate) fn answer<E: Encode>(call: &Call, kind: ToolKind) -> E {
    E::from_answer(match kind {
        ToolKind::ListSkills => list::answer(call),
        ToolKind::ReadSkill => return read::answer(call),
        ToolKind::ReadSkillResource => resource::answer(call),
        ToolKind::UnloadSkill => unload::answer(call),
        ToolKind::SearchSkills => search::answer(call),
        ToolKind::DescribeSkill => describe::answer(call),
        ToolKind::RunSkill => Err(Refusal::new(
            "not-offered",
            "`run_skill` is not a tool that only reads",
        )),
    })
}
