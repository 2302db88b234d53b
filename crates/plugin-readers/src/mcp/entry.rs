//! The entry of a server in a list: `{command, args, env}` or `{url, headers}`.

use std::collections::BTreeMap;
use std::sync::Arc;

use plugin_model::{Kind, Node, Place, Server, ServerSetting, escape_pointer};
use skill_model::{is_ordinary, is_secret_name};

use super::keys::{TOKENS, is_nameless};
use super::literal::{SCHEMES, is_name, is_value_of, login, short_secret};
use super::package::{Started, started};
use super::template::{Settings, is_blank, secret, setting_key};

/// The keys of addresses.
const ADDRESSES: [&str; 3] = ["url", "httpUrl", "serverUrl"];
/// Characters that only a shell understands.
const SHELL: [char; 9] = ['|', '&', ';', '<', '>', '`', '\n', '"', '\''];

/// Reads an entry; `None` without a command or an address, and without a name.
pub(super) fn server(file: &Arc<str>, above: &str, name: &str, node: &Node) -> Option<Server> {
    if is_nameless(name) {
        return None;
    }
    let pointer = format!("{above}/{}", escape_pointer(name));
    let place = Place::new(file, pointer.clone());
    let mut settings = Settings::of(name);
    let text = |key: &str| node.get(key).and_then(Node::as_str).unwrap_or_default();
    let mut res = Server {
        name: name.to_owned(),
        title: name.to_owned(),
        description: text("description").to_owned(),
        is_enabled: !is_true(node.get("disabled"))
            && node.get("enabled").is_none_or(|it| is_true(Some(it))),
        timeout_ms: whole(node.get("timeout")),
        only_tools: node.get("includeTools").and_then(names),
        except_tools: node.get("excludeTools").and_then(names).unwrap_or_default(),
        variable_files: texts_at(node.get("envFile")),
        file: Arc::clone(file),
        pointer,
        ..Server::default()
    };
    let address = ADDRESSES.iter().find(|key| !text(key).is_empty());
    if let Some(key) = address {
        remote(
            &mut res,
            node,
            (text(key), &place.child(key)),
            &mut settings,
        );
    } else if !text("command").is_empty() {
        program(&mut res, node, &place, &mut settings);
        let cwd = node.get("cwd").and_then(Node::as_str).unwrap_or_default();
        let mut start = Settings::of(name);
        res.directory = start.text(cwd, "cwd", &place.child("cwd"));
        settings.uses_files |= start.uses_files;
        res.hosts = hosts(&res, &settings.found);
    } else {
        return None;
    }
    res.has_files = settings.uses_files;
    res.settings = settings.found;
    res.replaced = settings.replaced;
    Some(res)
}

fn is_true(node: Option<&Node>) -> bool {
    node.is_some_and(|node| node.kind == Kind::Bool(true))
}

/// Returns the names of tools in a list. Gemini CLI writes `tool(…)` for some calls of a tool only.
fn names(list: &Node) -> Option<Vec<String>> {
    let Kind::Array(items) = &list.kind else {
        return None;
    };
    let names = items.iter().filter_map(Node::as_str).map(str::trim);
    Some(names.map(str::to_owned).collect())
}

/// Returns a text, or the texts of a list.
fn texts_at(node: Option<&Node>) -> Vec<String> {
    let items = node.map_or(&[][..], Node::items).iter();
    let texts = node.into_iter().chain(items).filter_map(Node::as_str);
    texts
        .filter(|it| !it.is_empty())
        .map(str::to_owned)
        .collect()
}

fn whole(node: Option<&Node>) -> Option<u64> {
    match &node?.kind {
        Kind::Number(text) => text.parse().ok(),
        _ => None,
    }
}

fn remote(res: &mut Server, node: &Node, (url, place): (&str, &Place), settings: &mut Settings) {
    let kind = node
        .get("type")
        .or(node.get("transport"))
        .and_then(Node::as_str)
        .unwrap_or_default();
    res.protocol = match kind {
        "http" | "streamable-http" | "streamable_http" | "streamableHttp" => {
            Some("streamable-http")
        }
        "sse" => Some("sse"),
        _ => None,
    };
    if kind == "ws" || url.starts_with("ws") {
        res.blockers.push("the server is asked over WebSocket, which no executor speaks; expected `type` http or sse".to_owned());
    }
    if wants_login(node) {
        res.blockers.push("the server wants a login in a browser, which only its host has; if it takes a token, add it to `entry.mcp.headers` of METADATA.yml".to_owned());
    }
    res.hosts = host(url).into_iter().collect();
    let login = login(url).filter(|range| !url[range.clone()].contains("${"));
    let mut url = url.to_owned();
    let credentials = login
        .as_ref()
        .map_or_else(String::new, |it| url[it.clone()].to_owned());
    if let Some(range) = login {
        url.replace_range(range.start..=range.end, "");
    }
    res.url = Some(settings.address(&url, place));
    if let Some(url) = res.url.as_ref().filter(|url| !is_address(url)) {
        res.blockers.push(format!("the address of the server is `{url}`, expected https://HOST/PATH; correct `entry.mcp.url` of METADATA.yml"));
    }
    let above = Place::new(&place.file, res.pointer.clone());
    res.headers = texts(node.get("headers"), &above.child("headers"), settings);
    let token = token_of(node).filter(|_| !has_authorization(&res.headers));
    if let Some((name, text, pointer)) = token {
        let place = Place::new(&above.file, format!("{}{pointer}", above.pointer));
        let value = text_of(name, text, &place, settings);
        let has_scheme = value
            .split_once(' ')
            .is_some_and(|(it, _)| SCHEMES.contains(&it));
        let scheme = if has_scheme { "" } else { "Bearer " };
        let value = format!("{scheme}{value}");
        res.headers.insert("Authorization".to_owned(), value);
    }
    if !credentials.is_empty() && !has_authorization(&res.headers) {
        // A client sends a login as a header, and no request has one in its address.
        let key = settings.key_of(settings.of_server("LOGIN"), &credentials);
        let setting = ServerSetting {
            description: "`user:password` in base64".to_owned(),
            ..secret(key.clone(), place)
        };
        settings.replace(setting);
        let value = format!("Basic ${{{key}}}");
        res.headers.insert("Authorization".to_owned(), value);
    }
}

/// Returns the token that a client sends in the header `Authorization`, with its name and its place in the
/// entry: that of the connector of the API of Anthropic, or of a login with a fixed token.
///
/// Source: <https://docs.claude.com/en/docs/agents-and-tools/mcp-connector>.
fn token_of(node: &Node) -> Option<(&'static str, &str, &'static str)> {
    let mut found = TOKENS.into_iter().filter_map(|(name, pointer)| {
        let text = node.at(pointer)?.as_str().filter(|it| !it.is_empty())?;
        Some((name, text, pointer))
    });
    found.next()
}

fn has_authorization(headers: &BTreeMap<String, String>) -> bool {
    let mut names = headers.keys();
    names.any(|name| name.eq_ignore_ascii_case("authorization"))
}

/// Returns the place of the token of an entry that becomes a setting: that of an address without a header
/// `Authorization`.
pub(super) fn token_with_setting(node: &Node) -> Option<&'static str> {
    let text = |key: &str| node.get(key).and_then(Node::as_str);
    let mut addresses = ADDRESSES.into_iter().filter_map(text);
    addresses.find(|it| !it.is_empty())?;
    let place = Place::new(&"".into(), String::new());
    let headers = texts(node.get("headers"), &place, &mut Settings::of(""));
    let (.., pointer) = token_of(node).filter(|_| !has_authorization(&headers))?;
    Some(pointer)
}

/// Returns true for an entry whose host gets a token by a login: Claude Code, Cursor, Codex.
fn wants_login(node: &Node) -> bool {
    let keys = ["oauth", "headersHelper", "oauth_client_id", "scopes"];
    let auth = node.get("auth").map_or(&[][..], Node::members);
    keys.iter().any(|key| node.get(key).is_some())
        || auth
            .iter()
            .any(|it| setting_key(&it.key).starts_with("CLIENT_"))
}

/// Returns true for an address with a scheme and a host, also if settings have them.
fn is_address(url: &str) -> bool {
    let is_open = |text: &str| text.contains("${");
    match url.split_once("://") {
        Some((scheme, rest)) => {
            let host = rest.split(['/', '?', '#']).next().unwrap_or_default();
            let is_known = matches!(scheme, "http" | "https" | "ws" | "wss") || is_open(scheme);
            is_known && !host.is_empty() && !host.contains(char::is_whitespace)
        }
        None => is_open(url),
    }
}

/// Returns the host of an address, with a port that is not usual; `None` if a setting chooses it.
pub(super) fn host(url: &str) -> Option<String> {
    let (_, rest) = url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit('@').next().unwrap_or(authority);
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-.:[]".contains(c);
    (!authority.is_empty() && authority.chars().all(is_plain))
        .then(|| authority.to_ascii_lowercase())
}

/// Returns the hosts of the addresses that the entry of a program names: in arguments, variables, and
/// usual values of settings.
pub(super) fn hosts(server: &Server, settings: &[ServerSetting]) -> Vec<String> {
    let usual = settings
        .iter()
        .filter_map(|it| it.default.as_ref()?.as_str());
    let texts = server.args.iter().chain(server.env.values());
    let texts = texts.map(String::as_str).chain(usual);
    let words = texts.flat_map(|text| text.split([' ', ',', '=']));
    let is_web = |word: &&str| word.starts_with("https://") || word.starts_with("http://");
    let mut res: Vec<String> = words.filter(is_web).filter_map(host).collect();
    res.sort();
    res.dedup();
    res
}

fn program(res: &mut Server, node: &Node, place: &Place, settings: &mut Settings) {
    let command = node
        .get("command")
        .and_then(Node::as_str)
        .unwrap_or_default()
        .trim();
    let mut words: Vec<String> = vec![command.to_owned()];
    let args = arguments(node.get("args"));
    if args.is_empty() && command.contains(' ') && !command.contains(SHELL) {
        // A whole line, as Gemini CLI documents it.
        words = command.split_whitespace().map(str::to_owned).collect();
    }
    words.extend(args);
    start(res, &filled_words(&words, &place.child("args"), settings));
    res.env = texts(node.get("env"), &place.child("env"), settings);
}

/// Returns the words of a command line with settings in place of placeholders and of secrets.
pub(super) fn filled_words(
    words: &[String],
    place: &Place,
    settings: &mut Settings,
) -> Vec<String> {
    let filled = (0..words.len()).map(|at| {
        if let Some((before, name, value)) = variable(words, at) {
            let value = text_of(name, value, place, settings);
            return format!("{before}{name}={value}");
        }
        let (flag, name) = (flag_before(words, at), flag_of(words, at));
        if let Some((name, start)) = short_secret(words, at) {
            let (flag, value) = words[at].split_at(start);
            let key = settings.key_of(settings.named(name), value);
            settings.replace(secret(key.clone(), place));
            return format!("{flag}${{{key}}}");
        }
        let word = settings.argument(&words[at], flag, name, place);
        settings.text(&word, "", place)
    });
    filled.collect()
}

/// Returns the arguments of an entry: the items of a list, or the words of a text.
fn arguments(node: Option<&Node>) -> Vec<String> {
    if let Some(text) = node.and_then(Node::as_str) {
        return quoted_words(text);
    }
    let items = node.map_or(&[][..], Node::items).iter();
    let items = items.map(|arg| match &arg.kind {
        Kind::String(text) => text.clone(),
        _ => arg.to_value().to_string(),
    });
    items.collect()
}

/// Returns the words of a command line; quotes keep blanks together.
fn quoted_words(text: &str) -> Vec<String> {
    let (mut res, mut word): (Vec<String>, Option<String>) = (Vec::new(), None);
    let mut quote = None;
    for c in text.chars() {
        match quote {
            Some(end) if c == end => quote = None,
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => res.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    res.extend(word);
    res
}

/// Returns the variable that a word of a command line sets, as in `docker run -e NAME=VALUE`: what is
/// before it in the word, its name and its value.
fn variable(words: &[String], at: usize) -> Option<(&str, &str, &str)> {
    let flags = ["-e", "--env"];
    let word = words[at].as_str();
    let inner = word.strip_prefix("--env=").or_else(|| {
        let flag = flag_before(words, at);
        flags.contains(&flag).then_some(word)
    })?;
    let (name, value) = inner.split_once('=')?;
    let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let is_variable = !name.is_empty() && name.chars().all(is_part);
    is_variable.then(|| (&word[..word.len() - inner.len()], name, value))
}

/// Returns the flag before a word of a command line; empty if there is none.
fn flag_before(words: &[String], at: usize) -> &str {
    let before = at.checked_sub(1).map(|at| words[at].as_str());
    before
        .filter(|it| it.starts_with('-') && !it.contains('='))
        .unwrap_or_default()
}

/// Returns the name of the flag that a word of a command line is the value of: `--token=…`, or after
/// `--token`; empty if there is none. Other texts may have a secret before their first `=`.
fn flag_of(words: &[String], at: usize) -> &str {
    let named = words[at].split_once('=').map(|(name, _)| name);
    let named = named.filter(|name| is_name(name));
    let flag = || {
        let flag = flag_before(words, at);
        // A switch such as `--read-only` can be before an address.
        let is_of_other = words[at].contains("://") && !takes_address(flag);
        if is_of_other { "" } else { flag }
    };
    named.unwrap_or_else(flag)
}

/// Returns true for a flag whose value is an address, by its last word.
fn takes_address(flag: &str) -> bool {
    let last = flag.rsplit(['-', '_']).next().unwrap_or_default();
    let words = [
        "url",
        "uri",
        "dsn",
        "connection",
        "string",
        "database",
        "db",
        "endpoint",
        "address",
        "server",
        "host",
        "proxy",
    ];
    words.iter().any(|word| last.eq_ignore_ascii_case(word))
}

/// Takes a command line: that of a package, or any other.
pub(super) fn start(res: &mut Server, words: &[String]) {
    let Some((command, args)) = words.split_first() else {
        return;
    };
    match started(command, args) {
        Some(Started {
            package,
            command,
            args,
        }) => {
            res.package = Some(package);
            res.command = command;
            res.args = args;
        }
        None => {
            let name = command.rsplit('/').next().unwrap_or(command);
            if matches!(name, "docker" | "podman") {
                res.blockers.push(format!("the server is started by `{name}`, which the sandbox cannot confine; run it yourself, or start the server without a container (`entry.mcp` of METADATA.yml)"));
            }
            if matches!(name, "npx" | "uvx" | "bunx") {
                res.blockers.push(format!("`{name}` would fetch the server from an address at every start; install it, and name its program in `entry.mcp.command` of METADATA.yml"));
            }
            res.command = Some(command.clone());
            res.args = args.to_vec();
        }
    }
}

/// Returns the variables or headers of an entry.
pub(super) fn texts(
    node: Option<&Node>,
    place: &Place,
    settings: &mut Settings,
) -> BTreeMap<String, String> {
    let mut res = BTreeMap::new();
    let items = node.map_or(&[][..], Node::items).iter().enumerate();
    for (at, item) in items {
        // Docker Compose has variables as a list.
        if let Some((name, text)) = item.as_str().and_then(|it| it.split_once('=')) {
            let text = text_of(name, text, &place.child(at), settings);
            res.insert(name.to_owned(), text);
        }
    }
    for member in node.map_or(&[][..], Node::members) {
        let place = place.child(escape_pointer(&member.key));
        let text = match &member.value.kind {
            Kind::String(text) => text.clone(),
            Kind::Bool(_) | Kind::Number(_) => member.value.to_value().to_string(),
            _ => continue,
        };
        let text = text_of(&member.key, &text, &place, settings);
        res.insert(member.key.clone(), text);
    }
    res
}

/// Returns the value of a variable or a header. One that is a secret or has to be replaced becomes a setting.
fn text_of(name: &str, text: &str, place: &Place, settings: &mut Settings) -> String {
    let is_secret = is_secret_name(name) && !is_ordinary(name, text)
        || name.eq_ignore_ascii_case("authorization")
        || is_value_of(name, text);
    if !text.contains("${") && (is_secret || is_blank(text)) {
        let (prefix, _) = text
            .split_once(' ')
            .filter(|(word, _)| SCHEMES.contains(word))
            .unwrap_or(("", ""));
        let mut key = settings.named(name);
        let is_literal = is_secret && !is_blank(text);
        if is_literal {
            key = settings.key_of(key, text);
        }
        let setting = ServerSetting {
            is_secret,
            is_required: is_secret,
            ..secret(key.clone(), place)
        };
        if is_literal {
            settings.replace(setting);
        } else {
            settings.add(setting);
        }
        let space = if prefix.is_empty() { "" } else { " " };
        format!("{prefix}{space}${{{key}}}")
    } else {
        let text = settings.without_secrets(text, name, place);
        settings.text(&text, name, place)
    }
}
