//! The skills in the list of a client: what it shows of each, and what it cuts.

use std::io::{self, Write};
use std::path::Path;

use client_listings::{Client, Extent, Item, Listing, Places, Row};
use serde_json::{Value, json};
use skill_language::{Language, columns, say};
use skill_loader::catalog::Catalog;
use skill_loader::fs::resolve;

/// The version of the JSON form.
const SCHEMA: u32 = 1;

/// Returns the list that a client makes of the skills in their directory, for a model with a context window
/// of `context` tokens and a user with this home directory.
pub fn listing(
    catalog: &Catalog,
    client: Client,
    context: Option<usize>,
    home: Option<&Path>,
) -> Listing {
    let skills = catalog.skills.values();
    let items = skills.map(|skill| Item {
        name: skill.name.clone(),
        description: skill.description.trim().to_owned(),
    });
    let mut places = Places::default();
    let first = catalog.skills.values().next();
    if let Some(path) = first.and_then(|skill| resolve(skill.place.root.path()).ok()) {
        places.skills = path.display().to_string();
    }
    if let Some(home) = home {
        places.home = home.display().to_string();
    }
    Listing::at(client, &items.collect::<Vec<_>>(), context, &places)
}

/// Writes a table for people: one line for each skill, and the sums.
pub fn text(listing: &Listing, language: Language, out: &mut dyn Write) -> io::Result<()> {
    let client = listing.client;
    let (title, version) = (client.title(), client.version());
    let (context, limit) = (listing.context, language.say(client.limit()));
    let limit = say!(
        language,
        "{title} {version}, a context of {context} tokens: {limit}"
    );
    writeln!(out, "{limit}")?;
    if listing.rows.is_empty() {
        return writeln!(out, "{}", language.say("no skills"));
    }
    let width = listing.rows.iter().map(|row| columns(&row.name)).max();
    let width = width.unwrap_or_default().max(5) + 2;
    let heads = ["shown", "cut", "result"].map(|head| language.say(head));
    let [shown, cut, result] = &heads;
    let skill = padded(&language.say("skill"), width);
    let blanks = |text: &str| " ".repeat(8_usize.saturating_sub(columns(text)));
    writeln!(
        out,
        "\n{skill}{}{shown}{}{cut}  {result}",
        blanks(shown),
        blanks(cut)
    )?;
    for row in &listing.rows {
        writeln!(
            out,
            "{}{:>8}{:>8}  {}",
            padded(&row.name, width),
            row.n_shown,
            row.n_cut,
            language.say(row.extent.word())
        )?;
    }
    let counts = Extent::ALL.map(|extent| (listing.count(extent), extent.word()));
    let counts = counts.iter().filter(|(n, _)| *n > 0);
    let counts: Vec<String> = counts
        .map(|(n, word)| format!("{n} {}", language.say(word)))
        .collect();
    let n_skills = listing.rows.len();
    let counts = counts.join(&language.say(", "));
    writeln!(out, "\n{}", say!(language, "{n_skills} skills: {counts}"))
}

/// Returns a text with blanks after it, `width` columns wide.
fn padded(text: &str, width: usize) -> String {
    format!("{text}{}", " ".repeat(width.saturating_sub(columns(text))))
}

/// Returns one object for programs.
pub fn json(listing: &Listing) -> Value {
    let client = listing.client;
    let row = |row: &Row| {
        json!({
            "name": row.name,
            "result": row.extent.word(),
            "shown_characters": row.n_shown,
            "cut_characters": row.n_cut,
        })
    };
    let counts = Extent::ALL.map(|extent| (extent.word().to_owned(), listing.count(extent).into()));
    json!({
        "schema": SCHEMA,
        "client": client.name(),
        "version": client.version(),
        "context": listing.context,
        "limit": client.limit(),
        "source": client.source(),
        "counts": counts.into_iter().collect::<serde_json::Map<String, Value>>(),
        "skills": listing.rows.iter().map(row).collect::<Vec<Value>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_has_a_line_for_each_skill() {
        let item = |name: &str, n: usize| Item {
            name: name.to_owned(),
            description: "a".repeat(n),
        };
        let items = [item("tea", 40), item("coffee", 3_000), item("cocoa", 1_500)];
        let listing = Listing::new(Client::ClaudeCode, &items, None);
        let mut out = Vec::new();
        text(&listing, Language::English, &mut out).expect("memory can be written");
        let expected = "\
Claude Code 2.1.330, a context of 200000 tokens: 1 % of the context for the whole list, 1,536 characters for one description

skill      shown     cut  result
cocoa       1500       0  whole
coffee         0    3000  name only
tea           40       0  whole

3 skills: 2 whole, 1 name only
";
        assert_eq!(String::from_utf8_lossy(&out), expected);
        let json = json(&listing);
        assert_eq!(json["counts"]["name only"], 1);
        assert_eq!(json["skills"][0]["shown_characters"], 1_500);
    }
}
