//! Combines the statements of several forms about one parameter.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use crate::form::calls::numbered;
use crate::param::{Default, Form, Need, Param, Type};

/// The parameters of a command, in the order of the text.
#[derive(Clone, Default, Debug)]
pub(crate) struct Params {
    list: Vec<Param>,
    by_name: BTreeMap<String, usize>,
}

impl Params {
    /// Adds a declaration; a known parameter is completed, not replaced.
    pub(crate) fn add(&mut self, mut param: Param) {
        param.aliases.retain(|alias| !self.is_declared(alias));
        let known = param
            .all_names()
            .find_map(|name| self.by_name.get(name).copied());
        let Some(at) = known else {
            let at = self.list.len();
            for name in param.all_names() {
                self.by_name.insert(name.to_owned(), at);
            }
            self.list.push(param);
            return;
        };
        if self.list[at].name != param.name && self.detach(at, &param) {
            return self.add(param);
        }
        for name in param.all_names() {
            self.by_name.insert(name.to_owned(), at);
        }
        combine(&mut self.list[at], param);
    }

    /// Returns true if a name has a declaration of its own.
    fn is_declared(&self, name: &str) -> bool {
        self.by_name
            .get(name)
            .is_some_and(|&at| self.list[at].name == name && self.list[at].form > Form::D2)
    }

    /// Turns a name that was an alias so far, and now has its own declaration, into a parameter;
    /// returns true if it did.
    fn detach(&mut self, at: usize, param: &Param) -> bool {
        let own_line = param.form > Form::D2 && !param.aliases.contains(&self.list[at].name);
        if own_line && self.list[at].aliases.contains(&param.name) {
            self.list[at].aliases.retain(|alias| *alias != param.name);
            self.by_name.remove(&param.name);
            return true;
        }
        false
    }

    /// Returns the parameter of a name.
    pub(crate) fn get_mut(&mut self, name: &str) -> Option<&mut Param> {
        let at = *self.by_name.get(name)?;
        self.list.get_mut(at)
    }

    /// Returns true if a name is known.
    pub(crate) fn knows(&self, name: &str) -> bool {
        self.by_name.contains_key(name)
    }

    /// Removes lists of values that are names of other parameters.
    pub(crate) fn drop_choices_that_are_names(&mut self) {
        let names: BTreeSet<String> = self.list.iter().map(|param| param.name.clone()).collect();
        let may_name = |param: &Param| {
            ["type", "kind", "by", "field", "key", "column"]
                .iter()
                .any(|tail| param.name.to_ascii_lowercase().ends_with(tail))
        };
        let read = self.list.iter_mut().filter(|param| param.form < Form::S);
        for param in read.filter(|param| !may_name(param)) {
            let name = |choice: &Value| {
                choice
                    .as_str()
                    .is_some_and(|text| text != param.name && names.contains(text))
            };
            if param.choices.len() < 4 && param.choices.iter().all(name) {
                param.choices.clear();
            }
        }
    }

    /// Returns the finished list.
    pub(crate) fn into_list(self) -> Vec<Param> {
        fold_families(self.list)
    }
}

/// Completes `known` with the statements of `more`; the stronger form wins.
fn combine(known: &mut Param, more: Param) {
    let stronger = more.form > known.form;
    let structured = known.form == Form::S;
    if takes_choices(known, &more, stronger) {
        known.choices.clone_from(&more.choices);
    }
    for alias in std::iter::once(more.name).chain(more.aliases) {
        if alias != known.name && !known.aliases.contains(&alias) {
            known.aliases.push(alias);
        }
    }
    if !more.types.is_empty() && (known.types.is_empty() || stronger) {
        known.types = more.types;
    }
    if !structured || known.need.is_none() {
        known.need = both_needs(known.need.take(), more.need);
    }
    known.default = both_defaults(known.default.take(), more.default, stronger);
    if known.description.is_empty() || (stronger && !more.description.is_empty()) {
        known.description = more.description;
    }
    known.numbered |= more.numbered;
    if known.bounds.is_empty() {
        known.bounds = more.bounds;
    }
    known.form = known.form.max(more.form);
}

/// Returns true if the values of another declaration are used. A pair of words in a block is weaker
/// than a description without a list.
fn takes_choices(known: &Param, more: &Param, stronger: bool) -> bool {
    let described = known.form >= Form::C && !known.description.is_empty();
    let weak = more.form == Form::D1 && more.choices.len() < 3 && described;
    let better =
        known.choices.is_empty() || (stronger && more.choices.len() >= known.choices.len());
    !more.choices.is_empty() && !weak && better
}

/// Combines two needs: an argument that is required in one place and optional in another depends on
/// something.
fn both_needs(a: Option<Need>, b: Option<Need>) -> Option<Need> {
    match (a, b) {
        (None, need) | (need, None) => need,
        (Some(Need::When(words)), _) | (_, Some(Need::When(words))) => Some(Need::When(words)),
        (Some(Need::Required), Some(Need::Required)) => Some(Need::Required),
        (Some(Need::Optional), Some(Need::Optional)) => Some(Need::Optional),
        _ => Some(Need::When(
            "in some of the forms that the text describes".to_owned(),
        )),
    }
}

fn both_defaults(a: Option<Default>, b: Option<Default>, stronger: bool) -> Option<Default> {
    let literal = |default: &Option<Default>| {
        default
            .as_ref()
            .is_some_and(|default| !matches!(default, Default::Prose(_)))
    };
    match (literal(&a), literal(&b)) {
        (true, true) if stronger => b,
        (true, _) => a,
        (_, true) => b,
        _ => a.or(b),
    }
}

/// Merges `image_1`, `image_2` and `image_N` into one parameter, the first as written.
///
/// Two members with different meanings (`text1` and `text2` to be compared) stay separate. Three
/// members, or a placeholder number, are a family.
fn fold_families(list: Vec<Param>) -> Vec<Param> {
    let mut sizes: BTreeMap<String, (usize, bool)> = BTreeMap::new();
    for param in &list {
        if let Some((base, open)) = family(&param.name) {
            let size = sizes.entry(base.to_owned()).or_default();
            size.0 += 1;
            size.1 |= open;
        }
    }
    let folds = |name: &str| {
        family(name)
            .filter(|(base, _)| {
                sizes
                    .get(*base)
                    .is_some_and(|&(count, open)| count > 2 || (open && count > 1))
            })
            .map(|(base, _)| base.to_owned())
    };
    let mut firsts: BTreeMap<String, usize> = BTreeMap::new();
    let mut res: Vec<Param> = Vec::new();
    for mut param in list {
        if let Some(base) = folds(&param.name) {
            param.numbered = true;
            if let Some(&at) = firsts.get(&base) {
                res[at].numbered = true;
                continue;
            }
            firsts.insert(base, res.len());
        }
        res.push(param);
    }
    res
}

/// Returns the name without its number, and true if the number is a placeholder.
fn family(name: &str) -> Option<(&str, bool)> {
    if let Some(base) = name.strip_suffix("_N").or_else(|| name.strip_suffix("_n")) {
        return Some((base, true));
    }
    let (base, _) = numbered(name)?;
    let base = base.trim_end_matches('_');
    (base.len() > 1).then_some((base, false))
}

/// Converts choices to the declared types.
pub(crate) fn fitting(choices: &[Value], types: &[Type]) -> Vec<Value> {
    let boolean = types.contains(&Type::Boolean);
    if choices.len() < 2 || boolean {
        Vec::new()
    } else {
        choices.to_vec()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn param(name: &str, form: Form, need: Option<Need>) -> Param {
        Param {
            need,
            ..Param::named(name, form)
        }
    }

    #[track_caller]
    fn check(params: Vec<Param>, expected: &[&str]) {
        let mut all = Params::default();
        for param in params {
            all.add(param);
        }
        let names: Vec<_> = all
            .into_list()
            .into_iter()
            .map(|param| param.name)
            .collect();
        assert_eq!(names, expected);
    }

    #[test]
    fn one_entry_for_each_name() {
        check(
            vec![
                param("a", Form::A1, None),
                param("a", Form::D2, None),
                param("b", Form::D2, None),
            ],
            &["a", "b"],
        );
    }

    #[test]
    fn an_alias_folds_into_its_parameter() {
        let first = Param {
            aliases: vec!["q".to_owned()],
            ..param("query", Form::A1, None)
        };
        check(vec![first.clone(), param("q", Form::D2, None)], &["query"]);
        check(vec![first, param("q", Form::A1, None)], &["query", "q"]);
    }

    #[test]
    fn needs_that_differ_depend_on_something() {
        assert!(matches!(
            both_needs(Some(Need::Required), Some(Need::Optional)),
            Some(Need::When(_))
        ));
        assert_eq!(both_needs(None, Some(Need::Required)), Some(Need::Required));
    }

    #[test]
    fn families() {
        check(
            ["url1", "url2", "url3"]
                .map(|name| param(name, Form::D2, None))
                .to_vec(),
            &["url1"],
        );
        check(
            ["image_1", "image_N"]
                .map(|name| param(name, Form::D1, None))
                .to_vec(),
            &["image_1"],
        );
        check(
            ["text1", "text2"]
                .map(|name| param(name, Form::A1, None))
                .to_vec(),
            &["text1", "text2"],
        );
    }
}
