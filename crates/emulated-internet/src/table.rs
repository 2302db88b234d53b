//! Answers that the user gives.
//!
//! A file is a JSON list of rows. A row has conditions (`host`, `method`, `path`; `*` stands for any text) and
//! an answer (`status`, `headers`, and one of `json` and `text`). The first row that fits counts, files in the
//! order of their names.

use serde_json::{Map, Value};

use crate::question::{Answer, Question};

/// Answers that the user gives, by request.
#[derive(Clone, Default, Debug)]
pub struct Table {
    rows: Vec<Row>,
}

/// A row that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{file}: {why}")]
pub struct TableError {
    /// The file.
    pub file: String,
    /// The place, and the fault.
    pub why: String,
}

#[derive(Clone, Debug)]
struct Row {
    host: String,
    method: String,
    path: String,
    answer: Answer,
}

/// The keys of a row.
const KEYS: [&str; 7] = [
    "host", "method", "path", "status", "headers", "json", "text",
];

impl Table {
    /// Appends the rows of a file.
    ///
    /// # Errors
    ///
    /// The text is not a list of rows; the error names the row and the key.
    ///
    /// ```
    /// let mut table = emulated_internet::Table::default();
    /// let rows = r#"[{"host": "*.example", "path": "/v1/*", "json": {"temperature": 7}}]"#;
    /// table.append("weather.json", rows).unwrap();
    /// assert!(table.append("broken.json", "{}").is_err());
    /// ```
    pub fn append(&mut self, file: &str, text: &str) -> Result<(), TableError> {
        let error = |why: String| TableError {
            file: file.to_owned(),
            why,
        };
        let rows: Value = serde_json::from_str(text).map_err(|why| error(why.to_string()))?;
        let rows = rows.as_array().ok_or_else(|| {
            error(
                "this is not a list; expected rows such as [{\"path\": \"/v1/*\", \"json\": {}}]"
                    .to_owned(),
            )
        })?;
        for (at, value) in rows.iter().enumerate() {
            let row = row(value).map_err(|why| error(format!("/{at}: {why}")))?;
            self.rows.push(row);
        }
        Ok(())
    }

    /// Returns the answer of the first row that fits.
    pub(crate) fn answer(&self, question: &Question) -> Option<Answer> {
        let fits = |row: &&Row| {
            matches(&row.host, &question.host)
                && matches(&row.method, &question.method)
                && matches(&row.path, &question.path)
        };
        self.rows.iter().find(fits).map(|row| row.answer.clone())
    }
}

fn row(value: &Value) -> Result<Row, String> {
    let row = value.as_object().ok_or("this is not an object")?;
    if let Some(key) = row.keys().find(|key| !KEYS.contains(&key.as_str())) {
        return Err(format!(
            "unknown key `{key}`; the keys are {}",
            KEYS.join(", ")
        ));
    }
    let condition = |key: &str| match row.get(key) {
        None => Ok("*".to_owned()),
        Some(Value::String(text)) => Ok(text.clone()),
        Some(_) => Err(format!("`{key}` is not a text")),
    };
    Ok(Row {
        host: condition("host")?.to_ascii_lowercase(),
        method: condition("method")?.to_ascii_uppercase(),
        path: condition("path")?,
        answer: given(row)?,
    })
}

fn given(row: &Map<String, Value>) -> Result<Answer, String> {
    let mut answer = match (row.get("json"), row.get("text")) {
        (Some(json), None) => Answer::new("application/json", json.to_string()),
        (None, Some(Value::String(text))) => {
            Answer::new("text/plain; charset=utf-8", text.as_str())
        }
        (None, None) => Answer::new("text/plain; charset=utf-8", ""),
        (None, Some(_)) => return Err("`text` is not a text".to_owned()),
        (Some(_), Some(_)) => {
            return Err("has both `json` and `text`; expected one of them".to_owned());
        }
    };
    if let Some(status) = row.get("status") {
        let status = status
            .as_u64()
            .and_then(|status| u16::try_from(status).ok());
        let status = status.filter(|status| (200..600).contains(status));
        answer.status = status.ok_or("`status` is not a status of HTTP (200 to 599)")?;
    }
    if let Some(headers) = row.get("headers") {
        let headers = headers.as_object().ok_or("`headers` is not an object")?;
        for (name, value) in headers {
            let value = value
                .as_str()
                .ok_or_else(|| format!("the header `{name}` is not a text"))?;
            let is_token = |c: char| c.is_ascii_graphic() && !"()<>@,;:\\\"/[]?={}".contains(c);
            if name.is_empty() || !name.chars().all(is_token) || value.contains(['\r', '\n', '\0'])
            {
                return Err(format!("the header `{name}` cannot be sent"));
            }
            let name = name.to_ascii_lowercase();
            answer.headers.retain(|(known, _)| *known != name);
            answer.headers.push((name, value.to_owned()));
        }
    }
    Ok(answer)
}

/// Returns true if a text fits a pattern, in which `*` stands for any text. The parts between the stars
/// are looked for in order, each at its first place, so that the time is linear in most cases.
fn matches(pattern: &str, text: &str) -> bool {
    let mut parts = pattern.split('*');
    let head = parts.next().unwrap_or_default();
    let Some(mut rest) = text.strip_prefix(head) else {
        return false;
    };
    let Some(tail) = parts.next_back() else {
        return rest.is_empty();
    };
    for part in parts {
        let Some(at) = rest.find(part) else {
            return false;
        };
        rest = &rest[at + part.len()..];
    }
    rest.ends_with(tail)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Checks the error for a text.
    #[track_caller]
    fn check_error(text: &str, expected: &str) {
        let error = Table::default().append("a.json", text).unwrap_err();
        assert_eq!(error.to_string(), format!("a.json: {expected}"));
    }

    #[test]
    fn errors_name_the_row() {
        check_error("[3]", "/0: this is not an object");
        check_error("[{}, {\"path\": 1}]", "/1: `path` is not a text");
        check_error(
            "[{\"status\": 99}]",
            "/0: `status` is not a status of HTTP (200 to 599)",
        );
        check_error(
            "[{\"json\": 1, \"text\": \"\"}]",
            "/0: has both `json` and `text`; expected one of them",
        );
        check_error(
            "[{\"headers\": {\"a b\": \"\"}}]",
            "/0: the header `a b` cannot be sent",
        );
        check_error(
            "[{\"body\": 1}]",
            "/0: unknown key `body`; the keys are host, method, path, status, headers, json, text",
        );
    }

    #[test]
    fn patterns() {
        for (pattern, text, expected) in [
            ("*", "", true),
            ("/v1/*", "/v1/a/b", true),
            ("/v1/*", "/v2/a", false),
            ("*.example", "a.example", true),
            ("*.example", "example", false),
            ("/*/b", "/a/b", true),
            ("/*/b*", "/a/bc", true),
            ("a", "ab", false),
            ("*日*", "星期日", true),
        ] {
            assert_eq!(matches(pattern, text), expected, "{pattern} {text}");
        }
    }
}
