//! The words for a command that no text describes, by its identifier: `createTask` is `创建任务`.
//!
//! Only identifiers all of whose words are common are read, so nothing is guessed.

use super::Language;

/// Verbs: in identifiers, in English (third person), in Chinese.
const VERBS: [(&str, &str, &str); 25] = [
    ("get", "Gets", "读取"),
    ("read", "Reads", "读取"),
    ("list", "Lists", "列出"),
    ("query", "Queries", "查询"),
    ("search", "Searches", "搜索"),
    ("find", "Finds", "查找"),
    ("create", "Creates", "创建"),
    ("add", "Adds", "添加"),
    ("insert", "Inserts", "插入"),
    ("save", "Saves", "保存"),
    ("set", "Sets", "设置"),
    ("update", "Updates", "更新"),
    ("edit", "Edits", "编辑"),
    ("delete", "Deletes", "删除"),
    ("remove", "Removes", "移除"),
    ("clear", "Clears", "清空"),
    ("reset", "Resets", "重置"),
    ("trigger", "Triggers", "立即触发"),
    ("start", "Starts", "启动"),
    ("stop", "Stops", "停止"),
    ("cancel", "Cancels", "取消"),
    ("pause", "Pauses", "暂停"),
    ("resume", "Resumes", "恢复"),
    ("send", "Sends", "发送"),
    ("check", "Checks", "检查"),
];

/// Nouns: in identifiers, in English, in Chinese.
const NOUNS: [(&str, &str, &str); 30] = [
    ("config", "the settings", "配置"),
    ("settings", "the settings", "配置"),
    ("status", "the state", "状态"),
    ("state", "the state", "状态"),
    ("task", "a task", "任务"),
    ("tasks", "the tasks", "任务"),
    ("job", "a job", "任务"),
    ("jobs", "the jobs", "任务"),
    ("message", "a message", "消息"),
    ("messages", "the messages", "消息"),
    ("table", "a table", "数据表"),
    ("row", "a row", "一行数据"),
    ("post", "a post", "帖子"),
    ("posts", "the posts", "帖子"),
    ("note", "a note", "笔记"),
    ("notes", "the notes", "笔记"),
    ("file", "a file", "文件"),
    ("files", "the files", "文件"),
    ("user", "a user", "用户"),
    ("users", "the users", "用户"),
    ("session", "a session", "会话"),
    ("sessions", "the sessions", "会话"),
    ("position", "a position", "持仓"),
    ("positions", "the positions", "持仓"),
    ("history", "the history", "历史"),
    ("cache", "the cache", "缓存"),
    ("server", "the server", "服务器"),
    ("event", "an event", "事件"),
    ("events", "the events", "事件"),
    ("report", "a report", "报告"),
];

/// Returns the words for a command of a verb and a noun, in either order.
pub(super) fn command_words(id: &str, language: Language) -> Option<String> {
    let words = words(id);
    let [first, second] = &words[..] else {
        return None;
    };
    let in_order = |verb: &str, noun: &str| {
        let verb = VERBS.iter().find(|it| it.0 == verb)?;
        let noun = NOUNS.iter().find(|it| it.0 == noun)?;
        Some(match language {
            Language::English => format!("{} {}.", verb.1, noun.1),
            Language::Chinese => format!("{}{}。", verb.2, noun.2),
        })
    };
    in_order(first, second).or_else(|| in_order(second, first))
}

/// Returns the words of an identifier in lower case.
fn words(id: &str) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    let mut is_open = false;
    for c in id.chars() {
        if !c.is_ascii_alphanumeric() {
            is_open = false;
            continue;
        }
        if c.is_ascii_uppercase() || !is_open {
            res.push(String::new());
        }
        is_open = true;
        if let Some(last) = res.last_mut() {
            last.push(c.to_ascii_lowercase());
        }
    }
    res
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn common_identifiers_have_words() {
        let check = |id: &str, language, expected: Option<&str>| {
            assert_eq!(command_words(id, language).as_deref(), expected, "{id}");
        };
        check("createTask", Language::Chinese, Some("创建任务。"));
        check("delete_task", Language::English, Some("Deletes a task."));
        check("position_remove", Language::Chinese, Some("移除持仓。"));
        check("brewTea", Language::Chinese, None);
        check("getTaskStatus", Language::Chinese, None);
        check("GET", Language::English, None);
        check("", Language::English, None);
    }
}
