//! Labels of what a plugin does, as sentences.
//!
//! Many manifests describe a plugin by a noun: `视频内容获取`. A reader of a list of skills looks for a verb
//! and its object: `获取视频内容`. Only words of the label are used.

use crate::lex::chars::is_cjk;

/// Verbs at the end of a label. Verbs with an object of their own are not among them.
const VERBS: [&str; 4] = ["获取", "抓取", "生成", "创建与更新"];

/// Words after the verb that say nothing.
const KINDS: [&str; 4] = ["服务", "工具", "功能", "能力"];

/// Longer labels are sentences, in characters.
const MAX: usize = 24;

/// Returns a label as a verb with its object: `日记创建与更新服务` is `创建与更新日记`, and
/// `Foo V2 视频生成` is `用 Foo V2 生成视频`. Other texts are returned unchanged.
pub(crate) fn as_sentence(what: &str) -> String {
    turned(what).unwrap_or_else(|| what.to_owned())
}

fn turned(what: &str) -> Option<String> {
    const NO_OBJECT: [&str; 13] = [
        "基于", "支持", "通过", "使用", "用于", "进行", "从", "对", "的", "将", "把", "自动", "可",
    ];
    let bare = KINDS
        .iter()
        .find_map(|kind| what.strip_suffix(kind))
        .unwrap_or(what);
    let verb = VERBS.iter().find(|verb| bare.ends_with(**verb))?;
    let object = bare.strip_suffix(verb)?.trim_end();
    let object = object.strip_prefix("通用").unwrap_or(object).trim_start();
    let is_label = what.chars().count() <= MAX
        && object.chars().filter(|c| is_cjk(*c)).count() >= 2
        && !what.contains(['，', '、', '；', '：', '（', '(', ',', ';', ':', '/'])
        && !NO_OBJECT.iter().any(|word| object.contains(word));
    if !is_label {
        return None;
    }
    let (product, made) = product(object);
    Some(match (*verb, product) {
        ("生成", "") => format!("生成{}", spaced(object)),
        ("生成", product) => format!("用 {product} 生成{made}"),
        (verb, _) => format!("{verb}{}", spaced(object)),
    })
}

/// Divides an object into the name of a product and the rest: `Foo V2 视频`.
fn product(object: &str) -> (&str, &str) {
    let at = object.find(is_cjk).unwrap_or(0);
    let (product, made) = object.split_at(at);
    (product.trim(), made)
}

/// Returns an object with a blank before a Latin word at its beginning.
fn spaced(object: &str) -> String {
    if object.starts_with(|c: char| c.is_ascii_alphanumeric()) {
        format!(" {object}")
    } else {
        object.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_become_a_verb_with_an_object() {
        let check = |what: &str, expected: &str| assert_eq!(as_sentence(what), expected);
        check("Tea 视频内容获取", "获取 Tea 视频内容");
        check("通用 URL 内容获取", "获取 URL 内容");
        check("日记创建与更新服务", "创建与更新日记");
        check("Foo V2.0 视频生成", "用 Foo V2.0 生成视频");
        check("视频生成", "生成视频");
        for sentence in [
            "基于某 API 的图像生成",
            "获取网页",
            "从网页获取",
            "支持视频生成",
            "文生图、视频生成",
            "自动获取",
            "Boils water",
            "",
        ] {
            check(sentence, sentence);
        }
    }
}
