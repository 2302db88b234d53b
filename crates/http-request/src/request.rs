//! A request as a value.

use serde_json::{Map, Value, json};

use crate::multipart::{self, Section};

/// A request that is ready to be sent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Request {
    /// The method, in capitals.
    pub method: String,
    /// The complete address.
    pub url: String,
    /// Names in lower case and values, in order.
    pub headers: Vec<(String, String)>,
    /// The body.
    pub body: RequestBody,
}

/// The body of a request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum RequestBody {
    /// None.
    None,
    /// One content.
    Content(Content),
    /// Parts of a multipart body.
    Parts(Vec<Part>),
}

/// A content: a text, or a file that the caller reads.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Content {
    /// A text.
    Text(String),
    /// The path of a file.
    File(String),
}

/// A part of a multipart body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Part {
    /// The name of the field.
    pub name: String,
    /// The name of the file, if the part is one.
    pub file_name: Option<String>,
    /// The media type, if it is not text.
    pub media_type: Option<String>,
    /// The content.
    pub content: Content,
}

impl Request {
    /// Returns the request as one JSON object: `method`, `url`, `headers`, `body`. The body is a text
    /// or null; a multipart body is a list of objects with `name` and `value`, or `file` for a file.
    pub fn to_value(&self) -> Value {
        let headers = self.headers.iter();
        let headers: Map<String, Value> = headers
            .map(|(name, value)| (name.clone(), Value::from(value.as_str())))
            .collect();
        let body = match &self.body {
            RequestBody::None => Value::Null,
            RequestBody::Content(Content::Text(text)) => text.as_str().into(),
            RequestBody::Content(Content::File(path)) => json!({ "file": path }),
            RequestBody::Parts(parts) => parts.iter().map(Part::to_value).collect(),
        };
        json!({ "method": self.method, "url": self.url, "headers": headers, "body": body })
    }

    /// Returns the paths of the files that are sent.
    pub fn files(&self) -> impl Iterator<Item = &str> {
        let contents: Vec<&Content> = match &self.body {
            RequestBody::None => Vec::new(),
            RequestBody::Content(content) => vec![content],
            RequestBody::Parts(parts) => parts.iter().map(|part| &part.content).collect(),
        };
        contents.into_iter().filter_map(|content| match content {
            Content::File(path) => Some(path.as_str()),
            Content::Text(_) => None,
        })
    }

    /// Returns the bytes of the body, and completes the header `content-type` of a multipart body.
    ///
    /// # Errors
    ///
    /// The first error of `read`, which reads a file.
    pub fn take_bytes<E>(
        &mut self,
        mut read: impl FnMut(&str) -> Result<Vec<u8>, E>,
    ) -> Result<Option<Vec<u8>>, E> {
        let mut bytes = |content: &Content| match content {
            Content::Text(text) => Ok(text.clone().into_bytes()),
            Content::File(path) => read(path),
        };
        match std::mem::replace(&mut self.body, RequestBody::None) {
            RequestBody::None => Ok(None),
            RequestBody::Content(content) => bytes(&content).map(Some),
            RequestBody::Parts(parts) => {
                let sections = parts.iter().map(|part| {
                    Ok(Section {
                        name: &part.name,
                        file_name: part.file_name.as_deref(),
                        media_type: part.media_type.as_deref(),
                        content: bytes(&part.content)?,
                    })
                });
                let sections: Vec<Section<'_>> = sections.collect::<Result<_, E>>()?;
                let boundary = multipart::boundary(&sections);
                for (name, value) in &mut self.headers {
                    if name == "content-type" {
                        value.push_str("; boundary=");
                        value.push_str(&boundary);
                    }
                }
                Ok(Some(multipart::bytes(&sections, &boundary)))
            }
        }
    }

    /// Adds a header.
    pub(crate) fn header(&mut self, name: &str, value: String) {
        self.headers.push((name.to_ascii_lowercase(), value));
    }

    /// Adds a cookie to the header of all cookies.
    pub(crate) fn cookie(&mut self, text: &str) {
        match self.headers.iter_mut().find(|(name, _)| name == "cookie") {
            Some((_, value)) => {
                value.push_str("; ");
                value.push_str(text);
            }
            None => self.header("cookie", text.to_owned()),
        }
    }

    /// Adds an encoded name and value to the query.
    pub(crate) fn query(&mut self, name: &str, value: &str) {
        let sign = if self.url.contains('?') { '&' } else { '?' };
        self.url.push(sign);
        self.url.push_str(name);
        self.url.push('=');
        self.url.push_str(value);
    }
}

impl Part {
    fn to_value(&self) -> Value {
        let mut res = json!({ "name": self.name });
        match &self.content {
            Content::Text(text) => res["value"] = text.as_str().into(),
            Content::File(path) => res["file"] = path.as_str().into(),
        }
        if let Some(media_type) = &self.media_type {
            res["media_type"] = media_type.as_str().into();
        }
        res
    }
}
