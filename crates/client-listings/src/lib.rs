//! The list of skills that a session of an agent begins with: what each agent shows of it, and what
//! it cuts.
//!
//! - [`Client`]: the agents whose lists are known, each with its limits and their source.
//! - [`Listing::new`], [`Listing::at`]: the list of some skills, as a client makes it; [`Places`].
//!
//! Every client counts in its own unit: UTF-16 units, or bytes divided by four. The results are in
//! characters, which a person can compare with a description.
//!
//! **Invariant:** pure; the same skills give the same list.

mod claude_code;
mod client;
mod codex;
mod places;
mod row;

pub use client::Client;
pub use places::Places;
pub use row::{Extent, Item, Row};

/// The list of a client.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Listing {
    /// The client.
    pub client: Client,
    /// The tokens of the model's context window.
    pub context: usize,
    /// One row for each skill, sorted by name.
    pub rows: Vec<Row>,
}

impl Listing {
    /// Lists skills as a client does for a model with this context window, by default
    /// [`Client::context`]. The client has no other skills than these and its own, and none of them
    /// was used yet.
    ///
    /// ```
    /// use client_listings::{Client, Extent, Item, Listing};
    ///
    /// let tea = Item { name: "tea".into(), description: "Makes tea.".into() };
    /// let listing = Listing::new(Client::Codex, &[tea], None);
    /// assert_eq!(listing.rows[0].extent, Extent::Whole);
    /// ```
    pub fn new(client: Client, items: &[Item], context: Option<usize>) -> Self {
        Self::at(client, items, context, &Places::default())
    }

    /// Lists skills whose directory is known.
    pub fn at(client: Client, items: &[Item], context: Option<usize>, places: &Places) -> Self {
        let context = context.unwrap_or(client.context());
        let mut items: Vec<Item> = items.to_vec();
        items.sort_by(|a, b| a.name.cmp(&b.name));
        let rows = match client {
            Client::ClaudeCode => claude_code::list(&items, context),
            Client::Codex => codex::list(&items, context, places),
            Client::GeminiCli | Client::Opencode => {
                let whole = |item: &Item| Row::new(item, item.description.chars().count());
                items.iter().map(whole).collect()
            }
        };
        Self {
            client,
            context,
            rows,
        }
    }

    /// Returns the number of skills of an extent.
    pub fn count(&self, extent: Extent) -> usize {
        self.of(extent).count()
    }

    /// Returns the skills of an extent.
    pub fn of(&self, extent: Extent) -> impl Iterator<Item = &Row> {
        self.rows.iter().filter(move |row| row.extent == extent)
    }

    /// Returns true if every skill is listed with its whole description.
    pub fn is_whole(&self) -> bool {
        self.count(Extent::Whole) == self.rows.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_without_a_limit_shows_everything() {
        let item = Item {
            name: "a".to_owned(),
            description: "词".repeat(5_000),
        };
        for client in [Client::GeminiCli, Client::Opencode] {
            let listing = Listing::new(client, std::slice::from_ref(&item), Some(1));
            assert!(listing.is_whole());
            assert_eq!(listing.rows[0].n_shown, 5_000);
        }
    }

    #[test]
    fn an_empty_description_is_whole() {
        let item = Item {
            name: "a".to_owned(),
            description: String::new(),
        };
        for client in Client::ALL {
            assert!(Listing::new(client, std::slice::from_ref(&item), None).is_whole());
        }
    }

    #[test]
    fn clients_are_found_by_their_names() {
        for client in Client::ALL {
            assert_eq!(client.name().parse(), Ok(client));
            assert!(!client.limit().is_empty() && !client.source().is_empty());
        }
        let error = "cursor"
            .parse::<Client>()
            .expect_err("it is not in the table");
        assert_eq!(
            error,
            "no client is named `cursor`; expected claude-code, codex, gemini or opencode"
        );
    }
}
