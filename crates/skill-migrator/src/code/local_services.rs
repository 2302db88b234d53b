//! Services and proxies of this machine that code asks at a fixed address: `http://127.0.0.1:${PORT}/v1`,
//! `{ hostname: 'localhost', port: PORT }`, `new HttpsProxyAgent('http://127.0.0.1:7890')`.

use std::collections::{BTreeMap, BTreeSet};

use super::analysis::Analysis;
use super::arguments::Reader;
use super::lexer::Token;
use super::tested::names;

/// Hosts of this machine.
const HERE: [&str; 2] = ["127.0.0.1", "localhost"];

/// The services of this machine that code needs.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct LocalServices {
    /// Proxies that requests always go through.
    pub(crate) proxies: BTreeSet<String>,
    /// The ports that it asks: the setting or the number, with the paths that are known.
    pub(crate) ports: BTreeMap<Port, BTreeMap<String, BTreeSet<String>>>,
}

/// The port of a service.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Port {
    /// The value of a setting.
    Setting(String),
    /// A number in the code.
    Number(String),
}

/// Returns the services that the reached files ask. `keys` are the settings.
pub(crate) fn local_services(code: &Analysis<'_, '_>, keys: &BTreeSet<&str>) -> LocalServices {
    let mut res = LocalServices::default();
    let arguments = code.arguments();
    for reader in &code.readers {
        let names = names(reader.tokens, keys);
        let mut named: BTreeMap<&str, (Port, String)> = BTreeMap::new();
        let mut found: Vec<(usize, Port, String)> = Vec::new();
        let is_off = reader.switches_off("PROXY");
        for at in 0..reader.tokens.len() {
            if let Some(url) = reader.proxy(at).filter(|_| !is_off) {
                res.proxies.insert(url);
            }
            if let Some(port) = reader.port_of_object(at, &names, keys) {
                found.push((at, port, reader.path_of_object(at)));
            }
            let Token::Text(text) = reader.tokens[at] else {
                continue;
            };
            let Some((port, path)) = port_of_text(text, &names, keys) else {
                continue;
            };
            match reader.tokens[..at] {
                [.., Token::Word(name), Token::Sign('=')]
                    if !name.to_lowercase().contains("proxy") =>
                {
                    named.insert(name, (port, path));
                }
                [.., Token::Word(function), Token::Sign('(')] if is_request(function) => {
                    found.push((at, port, path));
                }
                _ => {}
            }
        }
        // `fetch(`${BASE}/models`)`, where the base has the port.
        for (at, token) in reader.tokens.iter().enumerate() {
            let (name, path) = match token {
                Token::Text(text) => {
                    let inner = text
                        .strip_prefix("${")
                        .and_then(|rest| rest.split_once('}'));
                    let Some((name, path)) = inner else { continue };
                    (name, path)
                }
                Token::Word(name) => (*name, ""),
                _ => continue,
            };
            let is_asked = matches!(reader.tokens[..at], [.., Token::Word(function), Token::Sign('(')] if is_request(function));
            if let Some((port, base)) = named.get(name).filter(|_| is_asked) {
                found.push((at, port.clone(), format!("{base}{path}")));
            }
        }
        for (at, port, path) in found {
            let ports = res.ports.entry(port).or_default();
            let condition = reader.condition_on(at, &arguments);
            ports.entry(path).or_default().extend(condition);
        }
    }
    res
}

/// Returns true for a function that asks a server.
fn is_request(function: &str) -> bool {
    matches!(
        function,
        "fetch"
            | "post"
            | "get"
            | "put"
            | "axios"
            | "request"
            | "URL"
            | "WebSocket"
            | "urlopen"
            | "Request"
    )
}

/// Returns the port and the path of an address of this machine with a setting as its port.
fn port_of_text(
    text: &str,
    names: &BTreeMap<&str, &str>,
    keys: &BTreeSet<&str>,
) -> Option<(Port, String)> {
    let (scheme, rest) = text.split_once("://")?;
    if !matches!(scheme, "http" | "https" | "ws") {
        return None;
    }
    let rest = HERE.iter().find_map(|host| rest.strip_prefix(*host))?;
    let rest = rest.strip_prefix(':')?;
    if let Some(inner) = rest.strip_prefix("${").or(rest.strip_prefix('{')) {
        let (inner, path) = inner.split_once('}')?;
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let mut words = inner.split(|c| !is_word(c)).filter(|it| !it.is_empty());
        let key = words.find_map(|it| keys.get(it).or(names.get(it)))?;
        return Some((Port::Setting((*key).to_owned()), path_of(path)));
    }
    let end = rest
        .find(|c: char| !c.is_ascii_digit())
        .unwrap_or(rest.len());
    let is_port = (2..=5).contains(&end);
    is_port.then(|| (Port::Number(rest[..end].to_owned()), path_of(&rest[end..])))
}

/// Returns a path without values and a query.
fn path_of(text: &str) -> String {
    let end = text.find(['?', '$', '{', '#']).unwrap_or(text.len());
    text[..end].trim_end_matches('/').to_owned()
}

impl Reader<'_, '_> {
    /// Returns the proxy of this machine that an agent at a position always uses.
    fn proxy(&self, at: usize) -> Option<String> {
        let [
            Token::Word(agent),
            Token::Sign('('),
            value,
            Token::Sign(')'),
            ..,
        ] = self.tokens[at..]
        else {
            return None;
        };
        agent.ends_with("ProxyAgent").then_some(())?;
        let value = self.constant(&[value])?;
        let url = value.as_str()?;
        let (_, rest) = url.split_once("://")?;
        let is_here = HERE.iter().any(|host| rest.starts_with(host));
        is_here.then(|| url.to_owned())
    }

    /// Returns true for a constant of such a name that is false.
    fn switches_off(&self, word: &str) -> bool {
        self.tokens.windows(3).any(|three| {
            matches!(three, [Token::Word(name), Token::Sign('='), Token::Word("false" | "False")] if name.contains(word))
        })
    }

    /// Returns the port beside a host of this machine: `{ hostname: '127.0.0.1', port: PORT }`.
    fn port_of_object(
        &self,
        at: usize,
        names: &BTreeMap<&str, &str>,
        keys: &BTreeSet<&str>,
    ) -> Option<Port> {
        let [
            Token::Word("hostname" | "host"),
            Token::Sign(':'),
            Token::Text(host),
            ..,
        ] = self.tokens[at..]
        else {
            return None;
        };
        HERE.contains(&host).then_some(())?;
        let open = self.index.around(at)?;
        let close = self.index.closing(open)?;
        // Of a request: a server that it starts itself has no path.
        let has_path = (open + 1..close).any(|it| {
            matches!(self.tokens[it], Token::Word("path" | "method"))
                && self.index.around(it) == Some(open)
        });
        has_path.then_some(())?;
        // A proxy may be left out.
        let before = &self.tokens[open.saturating_sub(2)..open];
        let is_proxy = before
            .iter()
            .any(|it| matches!(it, Token::Word(word) if word.to_lowercase().contains("proxy")));
        let member = (open + 1..close).find(|it| {
            self.tokens[*it] == Token::Word("port") && self.index.around(*it) == Some(open)
        })?;
        let value = match self.tokens[member + 1..close] {
            [Token::Sign(':'), ref value @ ..] => value,
            _ => &self.tokens[member..=member],
        };
        let end = value.iter().position(|it| *it == Token::Sign(','));
        let value = &value[..end.unwrap_or(value.len())];
        let setting = value.iter().find_map(|it| match it {
            Token::Word(word) => keys.get(word).or(names.get(word)),
            _ => None,
        });
        match (setting, value) {
            _ if is_proxy => None,
            (Some(key), _) => Some(Port::Setting((*key).to_owned())),
            (None, [Token::Word(number)]) if number.parse::<u16>().is_ok() => {
                Some(Port::Number((*number).to_owned()))
            }
            _ => None,
        }
    }

    /// Returns the path in the same object.
    fn path_of_object(&self, at: usize) -> String {
        let path = || {
            let open = self.index.around(at)?;
            let close = self.index.closing(open)?;
            let mut found = (open + 1..close).filter_map(|it| match self.tokens[it..] {
                [Token::Word("path"), Token::Sign(':'), Token::Text(path), ..] => {
                    Some(path_of(path))
                }
                _ => None,
            });
            found.next()
        };
        path().unwrap_or_default()
    }

    /// Returns the argument on which the innermost condition around a position depends.
    fn condition_on(&self, at: usize, arguments: &BTreeSet<String>) -> Option<String> {
        let around = std::iter::successors(self.index.around(at), |it| self.index.around(*it));
        for open in around.filter(|open| self.tokens[*open] == Token::Sign('{')) {
            let [.., Token::Sign(')')] = self.tokens[..open] else {
                continue;
            };
            let start = (0..open).rev().take(40).find(|it| {
                matches!(
                    self.tokens[*it..],
                    [Token::Word("if"), Token::Sign('('), ..]
                ) && self.index.closing(*it + 1) == Some(open - 1)
            });
            let Some(start) = start else { continue };
            // `if (later)`, `if (later && …)`
            if let [Token::Word(name), rest @ ..] = &self.tokens[start + 2..open - 1]
                && matches!(rest, [] | [Token::Sign('&'), ..])
                && arguments.contains(*name)
            {
                return Some((*name).to_owned());
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::super::analysis::of_file;
    use super::*;

    #[track_caller]
    fn check(path: &str, code: &str, expected: &[&str]) {
        let keys = BTreeSet::from(["TEA_PORT", "PORT"]);
        let found = of_file(path, code, |code| local_services(code, &keys));
        let ports = found.ports.iter().flat_map(|(port, paths)| {
            let (Port::Setting(port) | Port::Number(port)) = port;
            paths.iter().map(move |(path, when)| {
                let when: Vec<&str> = when.iter().map(String::as_str).collect();
                format!("{port}{path} {}", when.join(",")).trim().to_owned()
            })
        });
        let all: Vec<String> = found.proxies.iter().cloned().chain(ports).collect();
        assert_eq!(all, expected, "{code}");
    }

    #[test]
    fn proxies_that_are_always_used() {
        let code = "const PROXY_URL = 'http://127.0.0.1:7890'; const agent = new HttpsProxyAgent(PROXY_URL);";
        check("a.js", code, &["http://127.0.0.1:7890"]);
        check("a.js", &format!("{code} const USE_PROXY = false;"), &[]);
        check(
            "a.js",
            "const PROXY_URL = process.env.P || 'http://127.0.0.1:7890'; new HttpsProxyAgent(PROXY_URL);",
            &[],
        );
        check("a.js", "new HttpsProxyAgent('http://tea.example:1')", &[]);
    }

    #[test]
    fn services_at_a_port() {
        check(
            "a.js",
            "const TEA = process.env.TEA_PORT || 8025; http.request({ hostname: '127.0.0.1', port: TEA, path: '/brew?x=1' })",
            &["TEA_PORT/brew"],
        );
        check(
            "a.js",
            "x = { proxy: { host: '127.0.0.1', port: process.env.TEA_PORT } }",
            &[],
        );
        check(
            "a.js",
            "function start(config) { HOST_PORT = config.PORT; BASE = `http://127.0.0.1:${HOST_PORT}/v1`; }
             async function processToolCall(args) { const { later } = args; if (later && !sent) { await axios.post(`${BASE}/schedule`, 1); } await axios.post(`${BASE}/chat`, 2); }",
            &["PORT/v1/chat", "PORT/v1/schedule later"],
        );
        check("a.js", "log(`http://127.0.0.1:${process.env.PORT}`)", &[]);
        check(
            "a.js",
            "fetch('http://localhost:8188/queue')",
            &["8188/queue"],
        );
    }
}
