//! A part of a collection, for runs that share the work.

use std::fmt;
use std::str::FromStr;

use skill_loader::Digest;

/// The maximum number of shards of one collection.
const MAX_SHARDS: u64 = 100_000;

/// One part of N, written `I/N` with I from 1 to N.
///
/// A plugin belongs to the shard whose position is a number modulo N: the first eight bytes of the
/// SHA-256 of its directory, big-endian. The directory is relative to the input, with `/` between
/// components. The result does not depend on the machine or on the rest of the collection.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Shard {
    /// The position, from 0 to `count` − 1.
    index: u64,
    count: u64,
}

impl Shard {
    /// Returns true if the plugin with this key belongs to this shard.
    pub fn holds(self, directory: &str) -> bool {
        let hex = Digest::from_content(directory.as_bytes()).hex();
        let number = u64::from_str_radix(&hex[..16], 16).expect("a digest is hex digits");
        number % self.count == self.index
    }
}

impl FromStr for Shard {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let numbers = text
            .split_once('/')
            .and_then(|(index, count)| Some((index.parse().ok()?, count.parse().ok()?)));
        match numbers {
            Some((index, count)) if (1..=count).contains(&index) && count <= MAX_SHARDS => {
                Ok(Self {
                    index: index - 1,
                    count,
                })
            }
            _ => Err(format!(
                "expected I/N with I from 1 to N, and N at most {MAX_SHARDS}"
            )),
        }
    }
}

impl fmt::Display for Shard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.index + 1, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<&str>) {
        let shard = text.parse::<Shard>().ok();
        assert_eq!(shard.map(|shard| shard.to_string()).as_deref(), expected);
    }

    #[test]
    fn a_shard_is_written_as_one_of_n() {
        check("1/1", Some("1/1"));
        check("3/7", Some("3/7"));
        check("0/7", None);
        check("8/7", None);
        check("1/0", None);
        check("1/100001", None);
        check("1", None);
        check("-1/2", None);
        check("a/b", None);
    }

    #[test]
    fn every_directory_is_in_exactly_one_shard() {
        let shards: Vec<Shard> = (1..=3).map(|n| format!("{n}/3").parse().unwrap()).collect();
        for n in 0..1000 {
            let directory = format!("kind/插件{n}");
            let n_holders = shards.iter().filter(|shard| shard.holds(&directory));
            assert_eq!(n_holders.count(), 1, "{directory}");
        }
    }

    #[test]
    fn the_shard_of_a_directory_never_changes() {
        // The digest of "a" begins with ca978112ca1bbdca, which is 2 modulo 4.
        let shard: Shard = "3/4".parse().unwrap();
        assert!(shard.holds("a"));
    }
}
