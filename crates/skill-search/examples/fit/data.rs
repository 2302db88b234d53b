//! Reads the labelled requests and groups them as `score.py` does.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::{Value, json};
use skill_search::{Document, Index};

use crate::fetched;
use crate::shaped::shaped;

/// The minimum number of skills of a repository; smaller ones are pooled.
const MIN_SKILLS: usize = 7;
/// The number of phrases taken from one description.
const N_QUOTED: usize = 2;
/// The minimum length of a word that is a request.
const MIN_WORD: usize = 4;
/// The number of phrases of other repositories for each catalog.
const N_STRAYS: usize = 60;
/// The number of requests that no skill fits, for each catalog.
const N_UNRELATED: usize = 60;

/// Chinese requests for skills that are described in English. They only test.
const CHINESE: &str = include_str!("chinese.jsonl");

/// Requests that writers wrote for this project, for skills of others; `writer` tells them apart.
const WRITTEN: &str = include_str!("written.jsonl");
/// The writer whose requests only test.
const TESTER: &str = "w4";

/// A catalog and its requests.
pub(crate) struct Task {
    pub(crate) index: Index,
    pub(crate) requests: Vec<LabelledRequest>,
}

/// A labelled request.
pub(crate) struct LabelledRequest {
    pub(crate) text: String,
    pub(crate) lang: String,
    /// `positive`, `near`, `none` or `unrelated`; `short` for phrases that descriptions quote, `word` for
    /// words that only one skill is called or described by, `shape` for names of files and addresses (see
    /// [`shaped`](crate::shaped)), `unword` for such words of other repositories,
    /// `stray` for phrases that descriptions of other repositories quote, `across` for requests in
    /// another language than that of the skill.
    pub(crate) kind: &'static str,
    /// The names of the right skills.
    pub(crate) gold: Vec<String>,
    /// The skill that the request is nearly, but not quite, for.
    pub(crate) near: Option<String>,
    /// The repository of the request. Requests of one repository are never on both sides of a
    /// split.
    pub(crate) fold: String,
}

/// Returns the catalogs of other repositories with their requests (see [`fetched`]).
pub(crate) fn fetched_tasks(dir: &Path, fetched: &Path) -> Vec<Task> {
    let unrelated = lines(&dir.join("unrelated.jsonl"));
    let collections = fetched::collections(fetched).into_iter();
    let tasks = collections.map(|one| {
        let skills: Vec<&Value> = one.skills.iter().collect();
        let (documents, names) = documents(&skills);
        let asked = one
            .requests
            .iter()
            .filter_map(|request| labelled(request, &names));
        let mut requests: Vec<LabelledRequest> = asked.collect();
        let unfit = unrelated.iter().take(N_UNRELATED);
        requests.extend(unfit.map(|request| unfitting(request, &one.name)));
        Task {
            index: Index::build(&documents),
            requests,
        }
    });
    tasks.collect()
}

/// Returns the catalogs of `catalog.jsonl` and `distractors.jsonl` with the requests of writers (see
/// `written.jsonl`): those of one writer, who only tests, or those of all others.
pub(crate) fn written_tasks(dir: &Path, is_test: bool) -> Vec<Task> {
    let rows = WRITTEN.lines().map(serde_json::from_str);
    let rows: Vec<Value> = rows.collect::<Result<_, _>>().expect("lines of JSON");
    let of_tester = |row: &&Value| (text(row, "writer") == TESTER) == is_test;
    let requests: Vec<Value> = rows.iter().filter(of_tester).flat_map(judged).collect();
    let mut res = Vec::new();
    for file in ["catalog.jsonl", "distractors.jsonl"] {
        let skills = lines(&dir.join(file));
        for (_, skills) in groups(&skills, false) {
            let (documents, names) = documents(&skills);
            let asked = requests
                .iter()
                .filter_map(|request| labelled(request, &names));
            let requests: Vec<LabelledRequest> = asked.collect();
            if !requests.is_empty() {
                res.push(Task {
                    index: Index::build(&documents),
                    requests,
                });
            }
        }
    }
    res
}

/// Returns the rows of a written request as those of `dev.jsonl`: one for its right skills, and one for each
/// skill that it is nearly, but not quite, for.
fn judged(request: &Value) -> Vec<Value> {
    let row = |skill: &Value, others: &Value, is_right: bool| {
        json!({
            "query": request["query"], "lang": request["lang"], "label": is_right,
            "skill_id": skill, "acceptable": others, "source": "",
        })
    };
    let near = request["near"].as_array().into_iter().flatten();
    let near = near.map(|near| row(near, &Value::Null, false));
    let right = row(&request["skill_id"], &request["acceptable"], true);
    std::iter::once(right).chain(near).collect()
}

/// Returns a request that no skill fits.
fn unfitting(request: &Value, group: &str) -> LabelledRequest {
    LabelledRequest {
        text: text(request, "query"),
        lang: text(request, "lang"),
        kind: "unrelated",
        gold: Vec::new(),
        near: None,
        fold: group.to_owned(),
    }
}

/// Returns all catalogs, or a single one with everything if `is_global`.
pub(crate) fn tasks(dir: &Path, is_global: bool) -> Vec<Task> {
    let mut skills = lines(&dir.join("catalog.jsonl"));
    if is_global {
        skills.extend(lines(&dir.join("distractors.jsonl")));
    }
    let all = skills.clone();
    let groups = groups(&skills, is_global);
    let requests = lines(&dir.join("dev.jsonl"));
    let unrelated = lines(&dir.join("unrelated.jsonl"));
    let chinese = CHINESE.lines().map(serde_json::from_str);
    let chinese: Vec<Value> = chinese.collect::<Result<_, _>>().expect("lines of JSON");
    let mut res = Vec::new();
    for (group, skills) in groups {
        let (documents, names) = documents(&skills);
        let mut cases: Vec<LabelledRequest> = requests
            .iter()
            .filter_map(|request| labelled(request, &names))
            .collect();
        if cases.is_empty() {
            continue;
        }
        cases.extend(skills.iter().flat_map(|skill| quoted(skill, &names)));
        cases.extend(chinese.iter().filter_map(|request| across(request, &names)));
        cases.extend(words(&skills, &names));
        cases.extend(shaped(&skills, &names));
        if !is_global {
            cases.extend(strays(&all, &group, &skills));
            cases.extend(unwords(&all, &group, &skills));
        }
        let extra = if is_global {
            unrelated.len()
        } else {
            N_UNRELATED
        };
        let unfit = unrelated.iter().take(extra);
        cases.extend(unfit.map(|request| unfitting(request, &group)));
        res.push(Task {
            index: Index::build(&documents),
            requests: cases,
        });
    }
    res
}

/// Returns phrases that descriptions of other repositories quote, which fit little or nothing here.
fn strays(all: &[Value], group: &str, own: &[&Value]) -> Vec<LabelledRequest> {
    let is_own = |skill: &&Value| {
        let here = repository(skill["id"].as_str().unwrap_or_default());
        own.iter()
            .any(|own| repository(own["id"].as_str().unwrap_or_default()) == here)
    };
    let names: BTreeMap<String, String> = all
        .iter()
        .map(|skill| (text(skill, "id"), String::new()))
        .collect();
    let others = all.iter().filter(|skill| !is_own(skill));
    let phrases: Vec<LabelledRequest> = others.flat_map(|skill| quoted(skill, &names)).collect();
    let step = (phrases.len() / N_STRAYS).max(1);
    let chosen = phrases.into_iter().step_by(step).take(N_STRAYS);
    chosen
        .map(|request| LabelledRequest {
            kind: "stray",
            gold: Vec::new(),
            fold: group.to_owned(),
            ..request
        })
        .collect()
}

/// Returns words that only one of the skills has in its short fields: words of names, and products, which
/// are written with a capital letter within a sentence.
fn words(skills: &[&Value], names: &BTreeMap<String, String>) -> Vec<LabelledRequest> {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for skill in skills {
        let mut own = skill_search::terms(&text(skill, "name"));
        own.extend(skill_search::terms(&text(skill, "description")));
        own.sort_unstable();
        own.dedup();
        for term in own {
            *counts.entry(term).or_default() += 1;
        }
    }
    let is_own = |word: &&str| {
        let terms = skill_search::terms(word);
        word.len() >= MIN_WORD
            && word.bytes().all(|byte| byte.is_ascii_alphabetic())
            && matches!(&terms[..], [term] if counts.get(term) == Some(&1))
    };
    let mut res = Vec::new();
    for skill in skills {
        let (name, description) = (text(skill, "name"), text(skill, "description"));
        let named = name
            .split(['-', '_', ' '])
            .filter(is_own)
            .max_by_key(|word| word.len());
        let follows = |pair: &&[&str]| pair[0].ends_with(|c: char| c.is_ascii_lowercase());
        let spoken: Vec<&str> = description.split_whitespace().collect();
        let mut products = spoken.windows(2).filter(follows);
        let product = products.find_map(|pair| {
            let word = pair[1].trim_matches(|c: char| !c.is_ascii_alphabetic());
            let has_capital = word.starts_with(|c: char| c.is_ascii_uppercase());
            Some(word).filter(|word| has_capital && is_own(word))
        });
        let id = text(skill, "id");
        res.extend(
            named
                .into_iter()
                .chain(product)
                .map(|word| LabelledRequest {
                    text: word.to_owned(),
                    lang: "en".to_owned(),
                    kind: "word",
                    gold: vec![names[&id].clone()],
                    near: None,
                    fold: repository(&id).to_owned(),
                }),
        );
    }
    res
}

/// Returns such words of other repositories that none of these skills has in its short fields.
fn unwords(all: &[Value], group: &str, own: &[&Value]) -> Vec<LabelledRequest> {
    let names: BTreeMap<String, String> = all
        .iter()
        .map(|skill| (text(skill, "id"), String::new()))
        .collect();
    let every: Vec<&Value> = all.iter().collect();
    let mut known: Vec<String> = Vec::new();
    for skill in own {
        known.extend(skill_search::terms(&text(skill, "name")));
        known.extend(skill_search::terms(&text(skill, "description")));
    }
    known.sort_unstable();
    let is_foreign = |request: &LabelledRequest| {
        let terms = skill_search::terms(&request.text);
        terms.iter().all(|term| known.binary_search(term).is_err())
    };
    let foreign: Vec<LabelledRequest> = words(&every, &names)
        .into_iter()
        .filter(is_foreign)
        .collect();
    let step = (foreign.len() / N_STRAYS).max(1);
    let chosen = foreign.into_iter().step_by(step).take(N_STRAYS);
    chosen
        .map(|request| LabelledRequest {
            kind: "unword",
            gold: Vec::new(),
            fold: group.to_owned(),
            ..request
        })
        .collect()
}

/// Returns a Chinese request for a skill that is described in English.
fn across(request: &Value, names: &BTreeMap<String, String>) -> Option<LabelledRequest> {
    let id = text(request, "skill_id");
    Some(LabelledRequest {
        text: text(request, "query"),
        lang: "zh".to_owned(),
        kind: "across",
        gold: vec![names.get(&id)?.clone()],
        near: None,
        fold: repository(&id).to_owned(),
    })
}

/// Returns phrases that a description quotes as a user's words. They are right, and shorter than
/// the labelled requests, so that length is not taken for evidence.
fn quoted(skill: &Value, names: &BTreeMap<String, String>) -> Vec<LabelledRequest> {
    let id = text(skill, "id");
    let description = text(skill, "description");
    let phrases = description.split(['"', '\'', '“', '”']).skip(1).step_by(2);
    let phrases = phrases.map(|phrase| phrase.trim_end_matches([',', '.']).to_owned());
    let is_short = |phrase: &String| (2..=5).contains(&phrase.split_whitespace().count());
    let requests = phrases
        .filter(is_short)
        .take(N_QUOTED)
        .map(|phrase| LabelledRequest {
            text: phrase,
            lang: "en".to_owned(),
            kind: "short",
            gold: vec![names[&id].clone()],
            near: None,
            fold: repository(&id).to_owned(),
        });
    requests.collect()
}

/// Reads the JSON values of a file, one per line.
pub(crate) fn lines(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("the labelled requests are there");
    let lines = text.lines().filter(|line| !line.is_empty());
    lines
        .map(|line| serde_json::from_str(line).expect("a line of JSON"))
        .collect()
}

pub(crate) fn text(value: &Value, key: &str) -> String {
    value[key].as_str().unwrap_or_default().to_owned()
}

pub(crate) fn repository(id: &str) -> &str {
    id.split('#').next().unwrap_or_default()
}

fn groups(skills: &[Value], is_global: bool) -> BTreeMap<String, Vec<&Value>> {
    let id = |skill: &Value| text(skill, "id");
    let mut sizes: BTreeMap<String, usize> = BTreeMap::new();
    for skill in skills {
        *sizes.entry(repository(&id(skill)).to_owned()).or_default() += 1;
    }
    let mut res: BTreeMap<String, Vec<&Value>> = BTreeMap::new();
    for skill in skills {
        let own = repository(&id(skill)).to_owned();
        let group = match () {
            () if is_global => "global".to_owned(),
            () if sizes[&own] >= MIN_SKILLS => own,
            () => "pool".to_owned(),
        };
        res.entry(group).or_default().push(skill);
    }
    res
}

/// Returns the documents, and their names by the identifiers of the labels.
fn documents(skills: &[&Value]) -> (Vec<Document>, BTreeMap<String, String>) {
    let mut names = BTreeMap::new();
    let mut res = Vec::new();
    for skill in skills {
        let base = slug(&text(skill, "name"));
        let mut name = base.clone();
        let mut turn = 2;
        while res.iter().any(|known: &Document| known.name == name) {
            name = format!("{base}-{turn}");
            turn += 1;
        }
        names.insert(text(skill, "id"), name.clone());
        res.push(Document {
            name,
            description: text(skill, "description").chars().take(1024).collect(),
            body: text(skill, "body"),
            ..Document::default()
        });
    }
    (res, names)
}

fn slug(name: &str) -> String {
    let mut res = String::new();
    for c in name.to_lowercase().chars() {
        if c.is_alphanumeric() {
            res.push(c);
        } else if !res.is_empty() && !res.ends_with('-') {
            res.push('-');
        }
    }
    let res: String = res.trim_end_matches('-').chars().take(60).collect();
    res.trim_end_matches('-').to_owned()
}

fn labelled(request: &Value, names: &BTreeMap<String, String>) -> Option<LabelledRequest> {
    let skill = request["skill_id"].as_str();
    let is_right = request["label"].as_bool() == Some(true);
    let acceptable = request["acceptable"].as_array().into_iter().flatten();
    let ids = skill
        .into_iter()
        .chain(acceptable.filter_map(Value::as_str));
    let known: Vec<String> = ids.filter_map(|id| names.get(id).cloned()).collect();
    let source = text(request, "source");
    let fold = match skill {
        Some(id) => {
            names.get(id)?;
            repository(id).to_owned()
        }
        None => {
            let of = |id: &&String| source.contains(&format!("/{}/", repository(id)));
            repository(names.keys().find(of)?).to_owned()
        }
    };
    Some(LabelledRequest {
        text: text(request, "query"),
        lang: text(request, "lang"),
        kind: match (skill, is_right) {
            (Some(_), true) => "positive",
            (Some(_), false) => "near",
            (None, _) => "none",
        },
        near: known.first().filter(|_| !is_right).cloned(),
        gold: if is_right { known } else { Vec::new() },
        fold,
    })
}
