//! The structs of sources in Rust, as serde reads and writes them.

/// A field of a struct.
#[derive(PartialEq, Debug)]
pub(crate) struct Field {
    /// Its name in the code.
    pub(crate) name: String,
    /// Its type: `Option<Vec<String>>`.
    pub(crate) kind: String,
    /// The attributes before it.
    pub(crate) serde: String,
    /// The comment before it.
    pub(crate) comment: String,
}

impl Field {
    /// Returns its type without the `Option` around it.
    pub(crate) fn inner(&self) -> &str {
        let inner = self.kind.strip_prefix("Option<");
        inner
            .and_then(|it| it.strip_suffix('>'))
            .unwrap_or(&self.kind)
    }

    /// Returns the value of a serde attribute: `rename` of `#[serde(rename = "tea")]`.
    pub(crate) fn attribute(&self, key: &str) -> Option<&str> {
        let (_, rest) = self.serde.split_once(&format!("{key} = \""))?;
        rest.split('"').next()
    }

    /// Returns its name in JSON.
    pub(crate) fn key(&self) -> &str {
        self.attribute("rename").unwrap_or(&self.name)
    }
}

/// Returns the fields of a struct.
pub(crate) fn fields(code: &str, name: &str) -> Option<Vec<Field>> {
    if name.is_empty() {
        return None;
    }
    let (_, rest) = code.split_once(&format!("struct {name} {{"))?;
    let (block, _) = rest.split_once("\n}")?;
    let mut res = Vec::new();
    let (mut serde, mut comment) = (String::new(), String::new());
    let mut is_open = false;
    for line in block.lines().map(str::trim) {
        if let Some(text) = line.strip_prefix("//") {
            comment = format!("{comment} {}", text.trim_start_matches('/').trim());
        } else if is_open || line.starts_with("#[") {
            serde.push_str(line);
            is_open = !line.ends_with(']');
        } else if let Some((name, kind)) = line.split_once(": ") {
            let kind = kind.split(" //").next().unwrap_or(kind).trim();
            let name = name.trim_start_matches("pub ").trim_start_matches("r#");
            if word(name) == name && !name.is_empty() {
                res.push(Field {
                    name: name.to_owned(),
                    kind: kind.trim_end_matches(',').to_owned(),
                    serde: std::mem::take(&mut serde),
                    comment: std::mem::take(&mut comment).trim().to_owned(),
                });
            }
            serde.clear();
            comment.clear();
        }
    }
    (!res.is_empty()).then_some(res)
}

/// Returns the identifier at the beginning of a text.
pub(crate) fn word(text: &str) -> &str {
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    &text[..text.find(|c| !is_part(c)).unwrap_or(text.len())]
}
