//! The description of a service in the frontmatter.

use plugin_model::Api;
use skill_tokens::upper_bound;

use crate::{
    description::{self, cut},
    markdown::{DefuseReport, one_line},
    render::Language,
};

use super::Service;

/// Maximum tokens of a description: the entry of a catalog, with the name, has at most 100.
const MAX_DESCRIPTION: usize = 72;

/// Returns what the service does and when to use it, short enough for a catalog.
pub(super) fn description(
    service: &Service<'_>,
    language: Language,
    seen: &mut DefuseReport,
) -> String {
    let api = service.api;
    let title = service.title();
    let what = match one_line(&api.summary) {
        summary if summary.is_empty() => title.clone(),
        summary if summary.to_lowercase().contains(&title.to_lowercase()) => summary,
        summary => format!("{title}: {summary}"),
    };
    let groups = service.groups();
    let mut n_groups = groups.len().clamp(4, 8);
    let mut n_chars = 220;
    loop {
        let names: Vec<&str> = groups
            .iter()
            .take(n_groups)
            .map(|(name, _)| *name)
            .collect();
        let when = match (api.when.is_empty(), names.as_slice()) {
            (false, _) => cut(&one_line(&api.when), n_chars).0,
            (true, [] | [_]) if api.summary.is_empty() => operations(api, n_groups, language),
            (true, [] | [_]) => String::new(),
            (true, names) => {
                let say = language.pick("Use for requests about ", "用于与以下内容有关的请求：");
                let end = language.pick(".", "。");
                format!("{say}{}{end}", names.join(language.pick(", ", "、")))
            }
        };
        let parts = description::Parts {
            what: cut(&what, n_chars).0,
            when,
            ..description::Parts::default()
        };
        let (res, _) = description::description(&parts, seen);
        if upper_bound(&res) <= MAX_DESCRIPTION || n_chars <= 40 {
            return res;
        }
        n_groups = n_groups.saturating_sub(2).max(1);
        n_chars -= 30;
    }
}

/// Returns what a service without a description does: the summaries of its first operations.
fn operations(api: &Api, n_groups: usize, language: Language) -> String {
    let shown = api.operations.iter().take(n_groups.max(2));
    let shown: Vec<String> = shown
        .map(|it| cut(one_line(&it.summary).trim_end_matches('.'), 48).0)
        .collect();
    let shown = shown.join(language.pick("; ", "；"));
    match language {
        Language::English => format!("Use for: {shown}."),
        Language::Chinese => format!("用于：{shown}。"),
    }
}
