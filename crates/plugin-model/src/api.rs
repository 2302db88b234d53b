//! A service over HTTP, as its document describes it.

use std::collections::BTreeMap;
use std::sync::Arc;

use http_request::{Credential, Operation};
use serde_json::Value;

use crate::Place;

/// A service over HTTP, or a part of a large one.
#[derive(Clone, PartialEq, Debug)]
pub struct Api {
    /// The title.
    pub title: String,
    /// The version of the service.
    pub version: String,
    /// The summary or the beginning of the description; empty if there is none.
    pub summary: String,
    /// The description; empty if there is none.
    pub description: String,
    /// When to use it, if the author wrote that for models.
    pub when: String,
    /// The license.
    pub license: Option<String>,
    /// The name or address of the author.
    pub contact: Option<String>,
    /// The group of operations that this part has; `None` for a whole service.
    pub group: Option<String>,
    /// The address of the server; `${KEY}` is replaced by a setting.
    pub endpoint: Option<String>,
    /// The setting that is another address in place of `endpoint`, if a user gives it a value.
    pub endpoint_setting: Option<String>,
    /// The hosts that are requested: `host`, `host:port` or `*.domain`.
    pub hosts: Vec<String>,
    /// The settings.
    pub settings: Vec<ApiSetting>,
    /// The places of secrets, by the name of the scheme.
    pub credentials: BTreeMap<String, Credential>,
    /// The operations, in the order of the document.
    pub operations: Vec<ApiOperation>,
    /// The documents that describe it, the main one first.
    pub files: Vec<Arc<str>>,
}

/// A setting of a service.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ApiSetting {
    /// The key.
    pub key: String,
    /// The meaning.
    pub description: String,
    /// The value that is used if the user sets none.
    pub default: Option<String>,
    /// The only possible values; any value is possible if there are none.
    pub choices: Vec<String>,
    /// True for secrets.
    pub is_secret: bool,
    /// True if nothing works without a value.
    pub is_required: bool,
    /// The place of the declaration.
    pub place: Place,
}

/// An operation of a service.
#[derive(Clone, PartialEq, Debug)]
pub struct ApiOperation {
    /// The identifier: unique within the service.
    pub id: String,
    /// The place of the operation.
    pub place: Place,
    /// The group: its first tag, or the first part of its path.
    pub group: String,
    /// The effect, in one line.
    pub summary: String,
    /// The description; empty if there is none.
    pub description: String,
    /// True if the author advises against it.
    pub is_deprecated: bool,
    /// True if each call needs an approval.
    pub needs_approval: bool,
    /// The request.
    pub http: Operation,
    /// JSON Schema of the arguments.
    pub input_schema: Value,
    /// Argument objects.
    pub examples: Vec<Value>,
    /// The answers: status and meaning.
    pub responses: Vec<(String, String)>,
}
