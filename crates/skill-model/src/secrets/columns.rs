//! Secrets in tables of separated values, found by the column heading.

use super::hit::SecretHit;
use super::named::KIND;
use super::value::{Form, is_secret};
use http_request::{Strength, strength};

/// Longest column heading, in bytes; longer ones are sentences.
const MAX_HEAD: usize = 40;

/// Adds the values of password columns if the text is a table with headings.
pub(super) fn scan(text: &str, hits: &mut Vec<SecretHit>) {
    let head = text.lines().next().unwrap_or_default();
    let separators = [',', ';', '\t'].into_iter();
    let Some(separator) = separators.max_by_key(|c| head.matches(*c).count()) else {
        return;
    };
    let heads: Vec<&str> = head.split(separator).map(bare).collect();
    let is_head = |head: &&str| !head.is_empty() && head.len() <= MAX_HEAD && is_name(head);
    let is_secret_head = |head: &str| strength(head) == Some(Strength::Strong);
    if heads.len() < 2 || !heads.iter().all(is_head) || !heads.iter().any(|it| is_secret_head(it)) {
        return;
    }
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let fields: Vec<&str> = line.split(separator).collect();
        let mut start = at;
        for (field, head) in fields.iter().zip(&heads) {
            let value = bare(field);
            let is_found = at > 0
                && fields.len() == heads.len()
                && is_secret_head(head)
                && is_secret(value, Strength::Strong, Form::Setting);
            if is_found {
                let first = start + field.find(value).unwrap_or(0);
                let range = first..first + value.len();
                hits.push(SecretHit { kind: KIND, range });
            }
            start += field.len() + 1;
        }
        at += line.len();
    }
}

/// Strips white space and quotes from a field.
fn bare(field: &str) -> &str {
    field.trim().trim_matches(['"', '\u{FEFF}'])
}

fn is_name(head: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '-');
    head.chars().all(is_part)
}
