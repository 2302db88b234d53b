//! Commands for the windows and the chats of the old host, which no agent has.

use std::collections::BTreeSet;

use skill_model::Command;

/// Parts of the texts of such commands: what opens a window, what changes a chat of the old host, what writes
/// the marks of its calls.
const WINDOWS: [&str; 9] = [
    "Canvas窗口",
    "Canvas 窗口",
    "通知主程序",
    "主程序打开",
    "聊天历史文件",
    "指令界定符",
    "弹出窗口显示",
    "chat history file",
    "canvas window",
];

/// Returns the identifiers of the commands for windows and chats of the old host. If all commands are, the
/// plugin is, and none is left out.
pub(crate) fn for_windows(commands: &[Command]) -> BTreeSet<String> {
    let is_for_window = |command: &&Command| {
        WINDOWS
            .iter()
            .any(|word| command.description.contains(word))
    };
    let found = commands.iter().filter(is_for_window);
    let found: BTreeSet<String> = found.map(|command| command.id.clone()).collect();
    if found.len() < commands.len() {
        found
    } else {
        BTreeSet::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_without_receiver() {
        let check = |texts: &[&str], expected: &[&str]| {
            let named = texts.iter().enumerate().map(|(at, text)| Command {
                description: (*text).to_owned(),
                ..Command::new(&format!("c{at}"))
            });
            let commands: Vec<Command> = named.collect();
            let found = for_windows(&commands);
            assert!(found.iter().eq(expected), "{texts:?}: {found:?}");
        };
        let window = "新建茶单，并通知主程序打开茶单窗口。";
        check(&["泡茶。", window], &["c1"]);
        check(&[window], &[]);
        check(&["列出聊天记录。"], &[]);
    }
}
