//! Sentences of errors on what has to be installed or running: `Please ensure the kettle is running.`

/// Requests to a person.
const REQUESTS: [&str; 7] = [
    "请确认",
    "请确保",
    "请先安装",
    "请安装",
    "lease ensure",
    "ake sure",
    "lease install",
];
/// The states that they are about.
const STATES: [&str; 13] = [
    "已安装",
    "先安装",
    "请安装",
    "已启动",
    "已运行",
    "正在运行",
    "已开启",
    "is running",
    "are running",
    "is enabled",
    "is installed",
    "are installed",
    "lease install",
];
/// Parts of a request that a skill says otherwise, or cannot: packages, settings and parts of the old host.
const OTHERS: [&str; 14] = [
    "npm",
    "pip",
    "依赖",
    "模块",
    "插件",
    "主服务",
    "服务端",
    "目录",
    "module",
    "package",
    "plugin",
    "Plugin",
    "VCP",
    "config.env",
];

/// Returns the sentences of a text in code that ask a person to install or start something.
pub(super) fn read(text: &str) -> impl Iterator<Item = String> {
    const MAX: usize = 300;
    let is_suspect = text.len() <= MAX && REQUESTS.iter().any(|word| text.contains(word));
    let sentences = if is_suspect {
        sentences(text)
    } else {
        Vec::new()
    };
    sentences.into_iter().filter(|sentence| {
        let has = |words: &[&str]| words.iter().any(|word| sentence.contains(word));
        has(&REQUESTS) && has(&STATES) && !has(&OTHERS) && !sentence.contains(['$', '{', '<'])
    })
}

/// Returns the sentences of a text without brackets that have a value.
fn sentences(text: &str) -> Vec<String> {
    let mut res = Vec::new();
    let mut rest = text;
    while !rest.is_empty() {
        let wide = rest
            .find(['。', '！', '\n'])
            .map(|at| at + rest[at..].chars().next().map_or(1, char::len_utf8));
        let narrow = rest.find(". ").map(|at| at + 1);
        let end = wide.into_iter().chain(narrow).min().unwrap_or(rest.len());
        let (sentence, next) = rest.split_at(end);
        res.push(without_values(sentence.trim()));
        rest = next;
    }
    res
}

/// Returns a sentence without the first bracket if that has a value: `找不到 kettle（PATH=${path}），…`.
fn without_values(text: &str) -> String {
    for (open, close) in [('（', '）'), ('(', ')')] {
        if let Some(at) = text.find(open)
            && let Some(end) = text[at..].find(close)
            && text[at..at + end].contains('$')
        {
            return format!(
                "{}{}",
                text[..at].trim_end(),
                &text[at + end + close.len_utf8()..]
            );
        }
    }
    text.to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: &[&str]) {
        assert_eq!(read(text).collect::<Vec<_>>(), expected);
    }

    #[test]
    fn errors_on_what_is_missing() {
        check(
            "Refused on port ${PORT}. Please ensure Kettle is running and its server is enabled.",
            &["Please ensure Kettle is running and its server is enabled."],
        );
        check(
            "找不到 kettle（KETTLE_BIN=${bin}），请确认已安装。",
            &["找不到 kettle，请确认已安装。"],
        );
        check("烧水失败。请先安装 kettle。", &["请先安装 kettle。"]);
        check("请确认 ${name} 已启动。", &[]);
        check(
            "tea is not installed. Please install it: npm install tea",
            &[],
        );
        check("请确保主服务器已启动。", &[]);
        check("Kettle is running", &[]);
    }
}
