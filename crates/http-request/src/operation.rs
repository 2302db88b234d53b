//! The description of an operation.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::media_types;

/// The methods that an operation can have.
pub const METHODS: [&str; 8] = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE",
];

/// One request of a service: where each argument of a command is written.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Operation {
    /// The HTTP method, in capitals.
    pub method: String,
    /// The path, with `{name}` for each parameter in it; it is appended to the address of the server. A
    /// fragment (`#…`) only tells two operations apart and is not sent.
    pub path: String,
    /// Address of the server, if it is not `entry.endpoint`; `${KEY}` is replaced by a setting.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub server: Option<String>,
    /// The parameters, in the order in which they are written.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub parameters: Vec<Parameter>,
    /// The body of the request.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub body: Option<Body>,
    /// Alternatives of credentials: each is a list of keys of `entry.credentials` that are needed
    /// together; an empty list needs none. The first alternative whose settings have values is used. One
    /// with another key cannot be sent; if there are only such, the request is refused.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub security: Vec<Vec<String>>,
    /// The media types of answers, if some of them are not JSON; patterns such as `image/*` are possible. An
    /// answer of another type is reported.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answers: Vec<String>,
}

impl Operation {
    /// Returns true for an answer whose media type is none of those of the operation. Where only JSON is
    /// expected, that is a page for people.
    pub fn is_other_answer(&self, media_type: &str) -> bool {
        let essence = |text: &str| {
            text.split(';')
                .next()
                .unwrap_or_default()
                .trim()
                .to_ascii_lowercase()
        };
        let found = essence(media_type);
        let is_page = matches!(found.as_str(), "text/html" | "application/xhtml+xml");
        let fits = |declared: &String| {
            let declared = essence(declared);
            match declared.strip_suffix('*') {
                Some(start) => declared == "*/*" || found.starts_with(start),
                None => declared == found,
            }
        };
        let is_json = found.ends_with("json");
        if self.answers.is_empty() {
            return is_page;
        }
        !found.is_empty() && !is_json && !self.answers.iter().any(fits)
    }
}

/// A parameter outside the body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Parameter {
    /// The name in the request.
    pub name: String,
    /// The place in the request.
    #[serde(rename = "in")]
    pub place: ParameterPlace,
    /// The name of the argument, if it differs: a name that occurs in two places gets `_path`,
    /// `_query`, `_header` or `_cookie`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// The notation of lists and objects, if it is not the usual one of the place: `form` in queries
    /// and cookies, `simple` in paths and headers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<Style>,
    /// True if each item of a list or object is written separately; by default only for `form` and
    /// `deep-object`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explode: Option<bool>,
    /// True if reserved characters are written as they are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_reserved: bool,
    /// The media type of the value, for values that are written as a document: `application/json`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
    /// True if the request needs it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
}

impl Parameter {
    /// Creates a parameter with the usual notation of its place.
    pub fn new(name: &str, place: ParameterPlace) -> Self {
        Self {
            name: name.to_owned(),
            place,
            argument: None,
            style: None,
            explode: None,
            allow_reserved: false,
            content: None,
            required: false,
        }
    }

    /// Returns the name of the argument.
    pub fn argument(&self) -> &str {
        self.argument.as_deref().unwrap_or(&self.name)
    }

    /// Returns the notation.
    pub fn style(&self) -> Style {
        self.style.unwrap_or(self.place.usual_style())
    }

    /// Returns whether each item is written separately.
    pub fn explodes(&self) -> bool {
        self.explode.unwrap_or(self.style().usually_explodes())
    }
}

/// The place of a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum ParameterPlace {
    /// In the path.
    Path,
    /// In the query.
    Query,
    /// A header.
    Header,
    /// A cookie.
    Cookie,
}

impl ParameterPlace {
    /// All places.
    pub const ALL: [Self; 4] = [Self::Path, Self::Query, Self::Header, Self::Cookie];

    /// Returns the word used in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Path => "path",
            Self::Query => "query",
            Self::Header => "header",
            Self::Cookie => "cookie",
        }
    }

    /// Returns the notation that a parameter there has if none is declared.
    pub fn usual_style(self) -> Style {
        match self {
            Self::Path | Self::Header => Style::Simple,
            Self::Query | Self::Cookie => Style::Form,
        }
    }
}

/// The notations of lists and objects.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Style {
    /// `a,b`
    Simple,
    /// `.a.b`, or `.a,b` if it is not exploded.
    Label,
    /// `.a.b` in both cases: OpenAPI up to 3.0.3, and 3.1.0.
    DottedLabel,
    /// `;name=a;name=b`
    Matrix,
    /// `name=a&name=b`
    Form,
    /// `name=a b`
    SpaceDelimited,
    /// `name=a|b`
    PipeDelimited,
    /// `name[key]=a`
    DeepObject,
}

impl Style {
    /// All notations.
    pub const ALL: [Self; 8] = [
        Self::Simple,
        Self::Label,
        Self::DottedLabel,
        Self::Matrix,
        Self::Form,
        Self::SpaceDelimited,
        Self::PipeDelimited,
        Self::DeepObject,
    ];

    /// Returns the word used in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Simple => "simple",
            Self::Label => "label",
            Self::DottedLabel => "dotted-label",
            Self::Matrix => "matrix",
            Self::Form => "form",
            Self::SpaceDelimited => "space-delimited",
            Self::PipeDelimited => "pipe-delimited",
            Self::DeepObject => "deep-object",
        }
    }

    /// Returns whether each item is written separately if nothing is declared.
    pub fn usually_explodes(self) -> bool {
        matches!(self, Self::Form | Self::DeepObject)
    }
}

/// The body of a request.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Body {
    /// The notation.
    pub kind: BodyKind,
    /// The media type, for the header `content-type`.
    pub media_type: String,
    /// The argument that is the whole body. If absent, the arguments that are not parameters are the
    /// members of the body.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub argument: Option<String>,
    /// True if the request needs it.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub required: bool,
    /// The notation of members of form and multipart bodies, where it is not the usual one.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub encoding: BTreeMap<String, Encoding>,
    /// Members of a multipart body that are files.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// The notations of bodies.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum BodyKind {
    /// A JSON document.
    Json,
    /// `application/x-www-form-urlencoded`.
    Form,
    /// `multipart/form-data`.
    Multipart,
    /// A text.
    Text,
    /// Bytes.
    Binary,
}

impl BodyKind {
    /// All notations.
    pub const ALL: [Self; 5] = [
        Self::Json,
        Self::Form,
        Self::Multipart,
        Self::Text,
        Self::Binary,
    ];

    /// Returns the word used in `METADATA.yml`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Form => "form",
            Self::Multipart => "multipart",
            Self::Text => "text",
            Self::Binary => "binary",
        }
    }

    /// Returns the notation of a media type.
    pub fn of_media_type(media_type: &str) -> Self {
        let essence = media_type.split(';').next().unwrap_or_default();
        match essence.trim().to_ascii_lowercase().as_str() {
            "application/x-www-form-urlencoded" => Self::Form,
            text if text.starts_with("multipart/") => Self::Multipart,
            "application/json" | "text/json" | "*/*" | "application/*" => Self::Json,
            text if text.ends_with("+json") => Self::Json,
            text if text.starts_with("text/") || text.ends_with("xml") => Self::Text,
            "application/yaml" | "application/graphql" | "application/javascript" => Self::Text,
            _ => Self::Binary,
        }
    }
}

/// The notation of a member of a form or multipart body.
#[derive(Clone, PartialEq, Eq, Default, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Encoding {
    /// The notation of lists and objects.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub style: Option<Style>,
    /// True if each item is written separately.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub explode: Option<bool>,
    /// True if reserved characters are written as they are.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub allow_reserved: bool,
    /// The media type of the member.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub content: Option<String>,
}

impl Encoding {
    /// Returns true if a style is declared, which the media type then does not matter for.
    pub(crate) fn has_style(&self) -> bool {
        self.style.is_some() || self.explode.is_some() || self.allow_reserved
    }

    /// Returns true if the member is written as JSON.
    pub(crate) fn is_json(&self) -> bool {
        let media_type = self.content.as_deref().and_then(media_types::first);
        media_type.is_some_and(|it| BodyKind::of_media_type(it) == BodyKind::Json)
    }
}
