//! The decision between a skill for an agent and a part of a host.
//!
//! An agent reads the name and description of every skill in each conversation, so one that it cannot
//! use costs more than it gives. What a host runs by itself (rewriting messages, serving requests,
//! filling prompts) and what cannot run at all is kept apart, with the same files.

use skill_model::{ExecutorKind, Metadata};

use crate::config::is_secret_key;
use crate::unread_calls::WINDOW;

/// Returns the reason why an agent cannot use a program as a skill, as the end of a sentence about it;
/// `None` for a skill.
pub fn host_part(metadata: &Metadata) -> Option<&'static str> {
    // Nothing of a prompt runs: an agent reads it.
    if metadata.executor == ExecutorKind::Prompt {
        return None;
    }
    if !metadata.runnable {
        return Some("it cannot run as it is");
    }
    if !metadata.commands.is_empty() {
        return of_commands(metadata);
    }
    match metadata.executor {
        ExecutorKind::Preprocessor => Some("it rewrites the messages of a host"),
        ExecutorKind::Service => Some("it is a service of a host, without a command"),
        ExecutorKind::Static => of_value(metadata),
        ExecutorKind::Direct
        | ExecutorKind::Distributed
        | ExecutorKind::Internal
        | ExecutorKind::Prompt => None,
    }
}

/// Returns the reason why no agent calls the commands of a program: their subject is the plugins of a host,
/// of which a skill has none, or its calls.
fn of_commands(metadata: &Metadata) -> Option<&'static str> {
    let text = metadata.description.to_lowercase();
    let first = text.split('。').next().unwrap_or_default();
    let asks_manager = metadata
        .host_answered
        .iter()
        .any(|it| it == "plugin-manager");
    let names = |words: &[&str]| words.iter().any(|word| first.contains(word));
    let is_about_plugins = asks_manager && names(&["插件", "原生工具", "plugins", "native tools"])
        || first.contains("manifest") && names(&["插件", "plugin"]);
    if is_about_plugins {
        return Some("its commands are about the plugins of a host");
    }
    if metadata
        .host_answered
        .iter()
        .any(|it| it == "context-bridge")
    {
        return Some("it observes the conversations of a host");
    }
    if metadata.host_requires.iter().any(|it| it == WINDOW) {
        return Some("a window of a host acts on what it prints");
    }
    let is_test = first.contains("测试") || first.contains("tests");
    if is_test && names(&["「始」", "tool_request"]) {
        return Some("it tests the calls of a host");
    }
    let shared = &metadata.permissions.shared;
    if !shared.is_empty() && shared.iter().all(|it| SCHEDULES.contains(&it.as_str())) {
        return Some("it works on calls that the scheduler of a host keeps");
    }
    let title = metadata.display_name.as_deref().unwrap_or_default();
    let is_titled = |word: &str| title.to_lowercase().contains(word);
    if metadata.executor == ExecutorKind::Direct
        && ["占位符", "placeholder"].iter().any(|it| is_titled(it))
    {
        return Some("its commands are about the placeholders of a host");
    }
    awaits_panel(&text).then_some("what it does waits for the panel of a host")
}

/// Directories in which only the scheduler of a host keeps calls (`routes/taskScheduler.js` of
/// VCPToolBox).
const SCHEDULES: [&str; 1] = ["VCPTimedContacts"];

/// Returns whether a sentence says that everything waits until somebody approves it in a panel.
fn awaits_panel(text: &str) -> bool {
    let mut sentences = text.split(['。', '\n']);
    let has = |sentence: &str, words: &[&str]| words.iter().any(|word| sentence.contains(word));
    sentences.any(|it| {
        has(it, &["所有", "every ", "all "])
            && has(it, &["面板", "panel", "dashboard"])
            && has(it, &["审批", "批准", "approv"])
    })
}

/// Returns the reason why nobody asks for the value of a program.
fn of_value(metadata: &Metadata) -> Option<&'static str> {
    let mut keys = metadata.placeholders.iter().map(|it| it.key.as_str());
    if metadata.placeholders.is_empty() {
        return Some("it has no value that anybody asks for");
    }
    if keys.any(|key| is_secret_key(key.trim_matches(['{', '}']))) {
        return Some("its value is a secret");
    }
    if metadata.requires.network {
        return None;
    }
    let reads_others =
        !metadata.permissions.shared.is_empty() || !metadata.requires.skills.is_empty();
    if reads_others {
        return Some("its value repeats files of a host or of another skill");
    }
    is_about_host(&metadata.description).then_some("its value describes parts of a host")
}

/// Returns whether a description begins with parts of a host: what the program reads. The first clause
/// counts, because later ones say how the value gets into a prompt.
fn is_about_host(description: &str) -> bool {
    const PARTS: [&str; 9] = [
        "占位符",
        "提示词",
        "插件",
        "技能",
        "skill.md",
        "placeholders",
        "plugins",
        "skills",
        "prompts",
    ];
    let lower = description.to_lowercase();
    // What folds or fills a context is for the host of a conversation.
    if ["上下文折叠", "折叠上下文", "context-folding"]
        .iter()
        .any(|it| lower.contains(it))
    {
        return true;
    }
    let mut clauses = lower.split(['，', '。', '；', ',', ';', '\n']);
    // `一个静态插件，…` is about itself.
    let is_itself = |clause: &&str| clause.trim().ends_with("插件");
    let first = clauses.find(|clause| !is_itself(clause));
    first.is_some_and(|clause| PARTS.iter().any(|part| clause.contains(part)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use skill_model::read_metadata;

    #[track_caller]
    fn check(text: &str, is_skill: bool) {
        let text = format!("name: x\nenabled: true\n{text}");
        let metadata = read_metadata(&text).0.expect("it is METADATA.yml");
        assert_eq!(host_part(&metadata).is_none(), is_skill, "{text}");
    }

    #[test]
    fn programs_that_a_host_runs_are_its_parts() {
        check("type: direct\nrunnable: true\n", true);
        check("type: direct\nrunnable: false\n", false);
        check("type: preprocessor\nrunnable: true\n", false);
        check("type: service\nrunnable: true\n", false);
        check(
            "type: service\nrunnable: true\ncommands: [{id: find}]\n",
            true,
        );
        for (rest, is_skill) in [
            ("description: 查询茶馆的插件列表。\n", true),
            (
                "description: 记录谈话。\nhost_answered: [context-bridge]\n",
                false,
            ),
            (
                "description: 查询插件列表。\nhost_answered: [plugin-manager]\n",
                false,
            ),
            (
                "description: 烧水。管理插件。\nhost_answered: [plugin-manager]\n",
                true,
            ),
            ("description: 在 manifest 中查找插件的源码。\n", false),
            ("description: 测试 x:「始」y「末」 的插件。\n", false),
            ("permissions: {shared: [VCPTimedContacts]}\n", false),
            ("permissions: {shared: [VCPTimedContacts, file]}\n", true),
            ("display_name: 占位符管理\n", false),
            (
                "description: 泡茶。所有操作供管理员在后台面板审批。\n",
                false,
            ),
            ("description: 泡茶。删除须由管理员批准。\n", true),
        ] {
            let commands = "type: direct\nrunnable: true\ncommands: [{id: go}]\n";
            check(&format!("{commands}{rest}"), is_skill);
        }
        check("type: internal\nrunnable: true\n", true);
        check("type: prompt\nrunnable: false\n", true);
    }

    #[test]
    fn values_that_answer_questions_are_skills() {
        let check = |rest: &str, is_skill| {
            check(&format!("type: static\nrunnable: true\n{rest}"), is_skill);
        };
        check("description: Lists files.\n", false);
        check("placeholders: [{key: '{{TEA_PRICES}}'}]\n", true);
        check("placeholders: [{key: '{{LOGIN_AUTH_CODE}}'}]\n", false);
        check(
            "placeholders: [{key: '{{A}}'}]\npermissions: {shared: [dailynote]}\n",
            false,
        );
        check(
            "placeholders: [{key: '{{A}}'}]\npermissions: {shared: [dailynote]}\nrequires: {network: true}\n",
            true,
        );
        check(
            "placeholders: [{key: '{{A}}'}]\nrequires: {skills: [b]}\n",
            false,
        );
        check(
            "placeholders: [{key: '{{A}}'}]\ndescription: 统计磁盘空间，并通过占位符提供。\n",
            true,
        );
        check(
            "placeholders: [{key: '{{A}}'}]\ndescription: 读取标签，实现上下文折叠。\n",
            false,
        );
        check(
            "placeholders: [{key: '{{A}}'}]\ndescription: 检查所有占位符的引用，生成报告。\n",
            false,
        );
        check(
            "placeholders: [{key: '{{A}}'}]\ndescription: Lists all placeholders and plugins.\n",
            false,
        );
        check(
            "placeholders: [{key: '{{A}}'}]\ndescription: Keeps the time in the system prompt.\n",
            true,
        );
        check(
            "placeholders: [{key: '{{A}}'}]\ndescription: 一个静态插件，计算今天的潮汐，供提示词引用。\n",
            true,
        );
    }
}
