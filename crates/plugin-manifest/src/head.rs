//! The part of a manifest that naming and selection need, read without the rest.

use serde::Deserialize;

use crate::read;

/// The name and type of a plugin.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Head {
    /// `name`.
    pub name: String,
    /// `pluginType` as written.
    pub plugin_type: String,
}

/// Reads the head of a manifest, or returns `None` if the file is not a manifest that the host
/// would load.
pub fn read_head(bytes: &[u8]) -> Option<Head> {
    let bytes = bytes.strip_prefix(b"\xEF\xBB\xBF").unwrap_or(bytes);
    let fields: Option<Fields> = serde_json::from_slice(bytes).ok();
    let head = fields.map(|fields| Head {
        name: fields.name,
        plugin_type: fields.plugin_type,
    });
    head.or_else(|| read_head_with_repeats(bytes))
}

/// An object with any content.
#[derive(Debug, Deserialize)]
struct AnyObject {}

#[derive(Debug, Deserialize)]
struct Fields {
    name: String,
    #[serde(rename = "pluginType")]
    plugin_type: String,
    #[serde(rename = "entryPoint")]
    _entry_point: AnyObject,
}

/// Reads a manifest in which a key is repeated: an error to `serde`, and the last value to the
/// host.
fn read_head_with_repeats(bytes: &[u8]) -> Option<Head> {
    let text = std::str::from_utf8(bytes).ok()?;
    let (manifest, _) = read(text);
    let manifest = manifest?;
    Some(Head {
        name: manifest.identity.name.value,
        plugin_type: manifest.program.plugin_type_word,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(text: &str, expected: Option<[&str; 2]>) {
        let head = read_head(text.as_bytes());
        let found = head.as_ref().map(|head| [&*head.name, &*head.plugin_type]);
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn a_head_is_read_as_the_host_reads_it() {
        let rest = r#""pluginType":"static","entryPoint":{"command":"x"}"#;
        check(&format!(r#"{{"name":"a",{rest}}}"#), Some(["a", "static"]));
        check(
            &format!("\u{FEFF}{{\"name\":\"a\",{rest}}}"),
            Some(["a", "static"]),
        );
        check(
            &format!(r#"{{"name":"a","name":"b",{rest}}}"#),
            Some(["b", "static"]),
        );
        check(&format!(r#"{{"name":1,{rest}}}"#), None);
        check("[]", None);
        check("", None);
    }
}
