//! Values that the old host made for its plugins, made here once and kept in the state.
//!
//! Plugins put the keys of the image server into the addresses of the files that they write
//! (`docs/design/legacy-host.md` §1.3). A skill gets a key only if its METADATA.yml names it.

use serde_json::{Map, Value, json};

use crate::call::Call;
use crate::envelope::Failure;
use crate::results::random;
use crate::state::State;

/// The directory of the values, beneath the state directory. No skill can read it.
const DIRECTORY: &str = "provided";
/// The file of the keys.
const FILE: &str = "image-keys.json";
/// The variables, and the keys of the plugin `ImageServer` that they come from.
const KEYS: [(&str, &str); 2] = [
    ("IMAGESERVER_IMAGE_KEY", "Image_Key"),
    ("IMAGESERVER_FILE_KEY", "File_Key"),
];

/// The port of the old host in the settings that come with it. It is the same in every state, because
/// addresses with it are in files that programs wrote.
const PORT: &str = "6005";

/// The address of the old host in the settings that come with it, without the port.
const ADDRESS: (&str, &str) = ("VarHttpUrl", "http://localhost");

/// The variables with the port of the old host.
const PORTS: [&str; 2] = ["PORT", "SERVER_PORT"];

/// Returns the names of the variables whose values are made here.
pub fn names() -> impl Iterator<Item = &'static str> {
    let keys = KEYS.iter().flat_map(|(variable, key)| [*variable, *key]);
    keys.chain(PORTS).chain([ADDRESS.0])
}

/// Returns the port of the old host: the user's, or the usual one. Nothing listens there unless the user
/// has a server.
pub(crate) fn port(call: &Call<'_>) -> String {
    own_port(call).unwrap_or_else(|| PORT.to_owned())
}

/// Returns the port that the user set.
pub(super) fn own_port(call: &Call<'_>) -> Option<String> {
    let is_set = |port: &String| !port.is_empty();
    let own = call.config.text("PORT").filter(is_set);
    own.or_else(|| call.host.environment.get("PORT").cloned().filter(is_set))
}

/// Returns the value of a variable that the old host set; `None` for every other variable. The first
/// call makes all keys.
pub(super) fn value(name: &str, call: &Call<'_>) -> Result<Option<String>, Failure> {
    if PORTS.contains(&name) {
        return Ok(Some(port(call)));
    }
    if name == ADDRESS.0 {
        return Ok(Some(ADDRESS.1.to_owned()));
    }
    let known = KEYS
        .iter()
        .find(|(variable, key)| *variable == name || *key == name);
    let Some((variable, _)) = known else {
        return Ok(None);
    };
    let keys = keys(&call.host.state)?;
    let value = keys.get(*variable).and_then(Value::as_str);
    Ok(value.map(str::to_owned))
}

/// Returns these keys as the configuration of the plugin `ImageServer`.
pub(crate) fn image_server(state: &State) -> Result<Map<String, Value>, Failure> {
    let keys = keys(state)?;
    let pairs = KEYS.iter();
    let pairs = pairs.filter_map(|(name, key)| Some(((*key).to_owned(), keys.get(*name)?.clone())));
    Ok(pairs.collect())
}

/// Sets the keys to values that are the same everywhere, for runs that are compared. Does nothing if there are
/// keys.
///
/// # Errors
///
/// The state cannot be written.
pub fn fix_keys(state: &State) -> Result<(), Failure> {
    state.make_dir(DIRECTORY)?;
    let fixed = KEYS.map(|(variable, key)| (variable.to_owned(), json!(format!("fixed-{key}"))));
    let text = Value::Object(fixed.into_iter().collect()).to_string();
    let path = format!("{DIRECTORY}/{FILE}");
    let written = state.root().write_if_free(&path, text.as_bytes());
    written.map(drop).map_err(|error| Failure::io(&error))
}

fn keys(state: &State) -> Result<Map<String, Value>, Failure> {
    let path = format!("{DIRECTORY}/{FILE}");
    if let Some(Value::Object(known)) = state.read(&path) {
        return Ok(known);
    }
    state.make_dir(DIRECTORY)?;
    let mut made = Map::new();
    for (variable, _) in KEYS {
        made.insert(variable.to_owned(), json!(random()?));
    }
    let text = Value::Object(made.clone()).to_string();
    let is_first = state.root().write_if_free(&path, text.as_bytes());
    if is_first.map_err(|error| Failure::io(&error))? {
        return Ok(made);
    }
    // Another process was faster, so its keys count.
    match state.read(&path) {
        Some(Value::Object(known)) => Ok(known),
        _ => Ok(made),
    }
}
