//! The version of the specification.

use plugin_model::{Kind, Node};

/// The version of the specification that a document was written for.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Version {
    /// 0, 1, 2: of 3.0, 3.1, 3.2.
    pub minor: u32,
    /// The last number.
    pub patch: u32,
}

impl Version {
    /// Returns whether the parts of a multipart body have the style that is declared for them: since 3.1.
    /// Source: <https://spec.openapis.org/oas/v3.0.3#encoding-object>, `style`.
    pub(crate) fn has_styles_of_parts(self) -> bool {
        self.minor > 0
    }

    /// Returns whether the items of a label are always separated by dots: the tables of the
    /// specification before 3.0.4 and 3.1.1.
    pub(crate) fn has_dotted_labels(self) -> bool {
        match self.minor {
            0 => self.patch < 4,
            1 => self.patch < 1,
            _ => false,
        }
    }
}

/// Returns the version that a key names. YAML reads one without quotes as a number.
///
/// ```
/// let (node, _) = plugin_model::parse_json(r#"{"swagger": 2.0}"#);
/// assert_eq!(plugin_openapi::written_version(&node.unwrap(), "swagger"), Some("2.0"));
/// ```
pub fn written_version<'n>(root: &'n Node, key: &str) -> Option<&'n str> {
    match &root.get(key)?.kind {
        Kind::String(text) | Kind::Number(text) => Some(text.trim()),
        _ => None,
    }
}

/// Returns the version if a tree is a document of OpenAPI 3.
///
/// ```
/// let (node, _) = plugin_model::parse_json(r#"{"openapi": "3.1.0", "info": {}}"#);
/// let version = plugin_openapi::version(&node.unwrap()).unwrap();
/// assert_eq!((version.minor, version.patch), (1, 0));
/// ```
pub fn version(root: &Node) -> Option<Version> {
    let text = written_version(root, "openapi")?;
    let mut numbers = text.split('.').map(|part| {
        let digits = part.find(|c: char| !c.is_ascii_digit());
        part[..digits.unwrap_or(part.len())].parse::<u32>().ok()
    });
    let major = numbers.next()??;
    let minor = numbers.next()??;
    let patch = numbers.next().flatten().unwrap_or_default();
    let has_parts = ["paths", "info", "webhooks", "components"];
    let is_document = has_parts.iter().any(|key| root.get(key).is_some());
    (major == 3 && is_document).then_some(Version { minor, patch })
}
