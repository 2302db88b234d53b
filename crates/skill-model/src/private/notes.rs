//! Markdown notes of a user, by name.

use super::row::PrivateKind::UserData;
use super::row::{PrivateName, row};
use super::table::{DIARY, HISTORY};

/// Markdown notes that a user wrote. Other Markdown is part of the program.
pub(super) const NOTES: &[PrivateName] = &[
    row("diary.md", UserData, DIARY),
    row("diary[0-9]*.md", UserData, DIARY),
    row("diary-[0-9]*.md", UserData, DIARY),
    row("diary_[0-9]*.md", UserData, DIARY),
    row("my_diary*.md", UserData, DIARY),
    row("my-diary*.md", UserData, DIARY),
    row("journal.md", UserData, DIARY),
    row("journal-[0-9]*.md", UserData, DIARY),
    row("journal_[0-9]*.md", UserData, DIARY),
    row("my_journal*.md", UserData, DIARY),
    row("日记.md", UserData, DIARY),
    row("日记[0-9]*.md", UserData, DIARY),
    row("日记-[0-9]*.md", UserData, DIARY),
    row("日记_[0-9]*.md", UserData, DIARY),
    row("*的日记.md", UserData, DIARY),
    row("*日记本.md", UserData, DIARY),
    row("聊天记录*.md", UserData, HISTORY),
    row("历史记录*.md", UserData, HISTORY),
];
