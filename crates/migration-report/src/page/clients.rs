//! A chart of what agents list of the skills: inline SVG, with the numbers in a table below.

use client_listings::{Client, Extent, Item, Listing};
use skill_language::{Language, say};
use skill_pipeline::Outcome;

use super::markup::{Html, Text};

/// The width of a whole bar.
const WIDTH: usize = 380;

/// Returns the section; `None` if the descriptions are not known.
pub(super) fn chart(outcomes: &[Outcome], language: Language) -> Option<String> {
    let outcomes = outcomes.iter().filter(|outcome| !outcome.is_hosted);
    let items = outcomes.filter_map(|outcome| {
        let description = outcome.account.as_ref()?.description.as_ref()?;
        Some(Item {
            name: outcome.skill.clone()?,
            description: description.trim().to_owned(),
        })
    });
    let items: Vec<Item> = items.collect();
    if items.is_empty() {
        return None;
    }
    let listings = Client::ALL.map(|client| Listing::new(client, &items, None));
    let mut html = Html::new(language);
    html.add(format_args!(
        r#"<section id="clients" aria-labelledby="clients-title"><h2 id="clients-title">{}</h2>
<p>{}</p>"#,
        html_text(language, "Agents"),
        html_text(
            language,
            "The list of skills that a session of an agent begins with: an agent finds a skill by its description there. If these are its only skills, a skill is listed with its whole description (green), with the beginning of it (yellow), by name only (red), or not at all (blank)."
        ),
    ));
    draw(&listings, items.len(), &mut html);
    numbers(&listings, &mut html);
    losses(&listings, &mut html);
    html.add(format_args!("</section>"));
    Some(html.finish())
}

fn html_text(language: Language, text: &str) -> String {
    Text(&language.say(text)).to_string()
}

/// Draws a bar for each client, with a part for each extent.
fn draw(listings: &[Listing], n_skills: usize, html: &mut Html) {
    html.add(format_args!(
        r#"<figure><figcaption id="listed-title">{title}</figcaption>
<svg viewBox="0 0 640 {height}" role="img" aria-labelledby="listed-title">"#,
        title = say!(html, "What agents list of {n_skills} skills"),
        height = 8 + listings.len() * 42,
    ));
    for (at, listing) in listings.iter().enumerate() {
        let (y, mut x) = (8 + at * 42, 112);
        html.add(format_args!(
            r#"<text x="104" y="{}" text-anchor="end">{}</text>"#,
            y + 19,
            listing.client.title()
        ));
        for (extent, class) in [
            (Extent::Whole, "metadata"),
            (Extent::Cut, "cut"),
            (Extent::NameOnly, "missing"),
        ] {
            let n = listing.count(extent);
            let width = n * WIDTH / n_skills;
            if n > 0 {
                let word = html.say(extent.word());
                html.add(format_args!(
                    r#"<rect class="bar bar-{class}" x="{x}" y="{y}" width="{width}" height="28" rx="3"><title>{n} {word}</title></rect>"#
                ));
            }
            x += width;
        }
        html.add(format_args!(
            r#"<text x="{}" y="{}" class="value">{}</text>"#,
            118 + WIDTH,
            y + 19,
            say!(html, "{} of {n_skills} whole", listing.count(Extent::Whole))
        ));
    }
    html.add(format_args!("</svg></figure>"));
}

fn numbers(listings: &[Listing], html: &mut Html) {
    let heads = [
        "Agent",
        "Whole",
        "Cut",
        "Name only",
        "Not listed",
        "Context",
        "Limit",
    ];
    html.table("What agents list", &heads, |html| {
        for listing in listings {
            let client = listing.client;
            html.add(format_args!(
                r#"<tr><th scope="row">{} {}</th>"#,
                client.title(),
                client.version()
            ));
            for (extent, head) in Extent::ALL.into_iter().zip(&heads[1..]) {
                html.add(format_args!(
                    r#"<td class="number" data-label="{}">{}</td>"#,
                    html.say(head),
                    listing.count(extent)
                ));
            }
            html.add(format_args!(
                r#"<td class="number" data-label="{}">{}</td><td class="limit">{}</td></tr>"#,
                html.say("Context"),
                listing.context,
                html.say(client.limit())
            ));
        }
    });
}

/// Names the skills that an agent does not list in full.
fn losses(listings: &[Listing], html: &mut Html) {
    for listing in listings.iter().filter(|listing| !listing.is_whole()) {
        let title = listing.client.title();
        let summary = say!(html, "What {title} cuts");
        html.add(format_args!("<details><summary>{summary}</summary>"));
        let heads = ["Skill", "Shown characters", "Cut characters", "Result"];
        html.table(&summary, &heads, |html| {
            let rows = listing.rows.iter();
            for row in rows.filter(|row| row.extent != Extent::Whole) {
                html.add(format_args!(
                    r#"<tr><th scope="row">{}</th><td class="number">{}</td><td class="number">{}</td><td>{}</td></tr>"#,
                    Text(&row.name),
                    row.n_shown,
                    row.n_cut,
                    html.say(row.extent.word())
                ));
            }
        });
        html.add(format_args!("</details>"));
    }
}
