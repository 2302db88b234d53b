//! The table of `docs/clients.md`.

use std::fmt::Write as _;
use std::fs;

use anyhow::{Context, Result, ensure};

use super::Row;
use crate::repo::Repo;

const DOCUMENT: &str = "docs/clients.md";
/// The lines before the table of the fixtures, and before that of other plugins.
const BEGINS: [&str; 2] = [
    "<!-- written by `cargo xtask agents --write` -->\n",
    "<!-- written by `cargo xtask agents --plugins DIR --write` -->\n",
];
const END: &str = "<!-- end of the table -->\n";

/// Replaces the table of the fixtures, or of other plugins.
pub(super) fn write(repo: &Repo, is_of_others: bool, rows: &[Row]) -> Result<()> {
    let absent = rows.iter().find(|row| row.result.is_none());
    ensure!(
        absent.is_none(),
        "{} cannot be installed here, so the table is not written",
        absent.map_or("", |row| row.agent.name)
    );
    let text = repo.read(DOCUMENT)?;
    let begin = BEGINS[usize::from(is_of_others)];
    let fresh = replaced(&text, begin, &table(rows));
    let fresh = fresh.with_context(|| format!("{DOCUMENT} has no place for the table"))?;
    fs::write(repo.path(DOCUMENT), fresh)?;
    println!("   wrote {DOCUMENT}");
    Ok(())
}

fn replaced(text: &str, begin: &str, table: &str) -> Option<String> {
    let (before, rest) = text.split_once(begin)?;
    let (_, after) = rest.split_once(END)?;
    Some(format!("{before}{begin}\n{table}\n{END}{after}"))
}

fn table(rows: &[Row]) -> String {
    let mut res = String::from("| client | version | tried | result |\n|---|---|---|---|\n");
    for row in rows {
        let result = match &row.result {
            Some(Ok(found)) => found.clone(),
            Some(Err(error)) => format!("**fails**: {}", first_line(&format!("{error:#}"))),
            None => "not tried".to_owned(),
        };
        let _ = writeln!(
            res,
            "| {} | {} | {} | {result} |",
            row.agent.name,
            row.agent.package.version(),
            row.agent.way
        );
    }
    res
}

fn first_line(text: &str) -> String {
    text.lines().next().unwrap_or_default().replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_replaced() {
        for begin in BEGINS {
            let text = format!("a\n{begin}\nold\n{END}b\n");
            let expected = format!("a\n{begin}\nnew\n\n{END}b\n");
            assert_eq!(replaced(&text, begin, "new\n"), Some(expected));
            assert_eq!(replaced("a", begin, "new"), None);
        }
    }
}
