//! The need for a plugin that does several things with one kind of object: `创建、编辑、查看茶单`.

use super::text::begins_with_deed;
use crate::lex::chars::is_cjk;

/// The minimum length of the object, and the maximum length of a purpose that is compared, in characters.
const MIN: usize = 3;
const MAX: usize = 40;
/// The length of a deed, in characters.
const DEED: usize = 2;

/// Returns the deeds of the purposes and the words that they share, if most of them share some.
pub(super) fn read(purposes: &[String]) -> Option<(String, String)> {
    let clauses = purposes.iter().map(|purpose| first_clause(purpose));
    let clauses: Vec<Vec<char>> = clauses
        .filter(|it| begins_with_deed(it))
        .map(|it| it.chars().take(MAX).collect())
        .collect();
    let (first, others) = clauses.split_first()?;
    let object = others
        .iter()
        .map(|other| shared(&first[DEED..], &other[DEED..]));
    let object = object.max_by_key(|object| object.chars().count())?;
    let mut deeds: Vec<String> = Vec::new();
    let mut n_about = 0;
    for clause in &clauses {
        let text: String = clause.iter().collect();
        let deed: String = clause[..DEED].iter().collect();
        let is_about = text.contains(&object);
        n_about += usize::from(is_about);
        if is_about && !deeds.contains(&deed) {
            deeds.push(deed);
        }
    }
    let is_shared =
        object.chars().count() >= MIN && deeds.len() > 1 && n_about * 2 > purposes.len();
    is_shared.then(|| (deeds.join("、"), object))
}

/// Returns the longest words in Chinese that two texts share, without the particle at either end.
fn shared(a: &[char], b: &[char]) -> String {
    let mut best: &[char] = &[];
    for start in 0..a.len() {
        for other in 0..b.len() {
            let pairs = a[start..].iter().zip(&b[other..]);
            let length = pairs.take_while(|(a, b)| a == b && is_cjk(**a)).count();
            if length > best.len() {
                best = &a[start..start + length];
            }
        }
    }
    let words: String = best.iter().collect();
    words.trim_matches(['的', '个', '在']).to_owned()
}

/// Returns a purpose up to its first comma.
fn first_clause(purpose: &str) -> &str {
    purpose.split(['，', '。', '（']).next().unwrap_or(purpose)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(purposes: &[&str], expected: Option<&str>) {
        let purposes: Vec<String> = purposes.iter().map(|it| (*it).to_owned()).collect();
        let found = read(&purposes).map(|(deeds, object)| deeds + &object);
        assert_eq!(found.as_deref(), expected);
    }

    #[test]
    fn deeds_with_one_object() {
        check(
            &[
                "创建一个新的茶单文件",
                "编辑一个已存在的茶单文件，通过查找并替换文本",
                "查看茶单文件内容",
            ],
            Some("创建、编辑、查看茶单文件"),
        );
        check(
            &["查询茶叶的产地", "更新或创建茶叶的产地列表", "设置水温"],
            Some("查询、更新茶叶的产地"),
        );
        check(&["查询茶叶", "查询水温"], None);
        check(&["查询绿茶产地", "查询绿茶产地的天气"], None);
        check(&["泡一壶绿茶", "查询产地"], None);
        check(&[], None);
    }
}
