//! A hook of a host that only prints.

/// A program that a host runs at an event and whose output it adds to the conversation. The output
/// is known without running the program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Hook {
    /// The name of the unit: `session-start`.
    pub name: String,
    /// The event, in the words of the host: `SessionStart`.
    pub event: String,
    /// The moment at which the host adds the text.
    pub moment: Moment,
    /// The value of `matcher`, which restricts the event; empty if there is none.
    pub matcher: String,
    /// The text that the host adds.
    pub text: String,
    /// The place of the hook in its document: `/hooks/SessionStart/0/hooks/0`.
    pub pointer: String,
}

/// The moments at which hosts add a text to a conversation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Moment {
    /// Once, at the start.
    Start,
    /// At every message of the user.
    Message,
}
