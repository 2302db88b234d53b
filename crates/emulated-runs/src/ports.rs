//! The ports at which the hosts of an emulated internet answer.

use std::collections::BTreeSet;

/// The ports of HTTP and HTTPS.
const WEB: [u16; 2] = [80, 443];
/// The greatest number of ports that are served for one plugin.
const MAX_PORTS: usize = 64;
/// The end of the names of settings for ports.
const DEFAULT: &str = "PORT";
/// The most characters between such a name and its default: quotes, brackets and operators.
const MAX_BETWEEN: usize = 8;
/// Words of programs that are servers.
const SERVERS: [&str; 4] = [".listen(", "createServer", "http.server", "socketserver"];
/// Returns the ports at which hosts answer: those of the web, those that addresses in the code and in the
/// settings name, and the defaults of settings for ports (`EVERYTHING_PORT || 8025`). The defaults of a program
/// that is a server are likely to be its own ports, which it must be able to open.
pub fn ports<'t>(texts: impl IntoIterator<Item = &'t str>) -> BTreeSet<u16> {
    let mut res = BTreeSet::from(WEB);
    for text in texts {
        let named = text.match_indices("://").filter_map(|(at, _)| {
            let rest = &text[at + 3..];
            let is_of_host = |c: char| c.is_ascii_alphanumeric() || ".-_${}[]".contains(c);
            let host = rest.find(|c| !is_of_host(c)).unwrap_or(rest.len());
            leading_port(rest[host..].strip_prefix(':')?)
        });
        res.extend(named.take(MAX_PORTS - res.len()));
        let is_server = SERVERS.iter().any(|word| text.contains(word));
        let defaults = text.match_indices(DEFAULT).filter_map(|(at, word)| {
            let rest = &text[at + word.len()..];
            let between = rest.find(|c: char| c.is_ascii_alphanumeric())?;
            leading_port(&rest[between..]).filter(|_| between <= MAX_BETWEEN)
        });
        if !is_server {
            res.extend(defaults.take(MAX_PORTS - res.len()));
        }
    }
    res
}

/// Returns the port that a text begins with.
fn leading_port(text: &str) -> Option<u16> {
    let is_digit = |c: char| c.is_ascii_digit();
    let digits = text.find(|c| !is_digit(c)).unwrap_or(text.len());
    text[..digits].parse().ok().filter(|port| *port != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ports_of_addresses() {
        let text = "fetch('http://localhost:3106/x'); `http://${host}:8188`; 'https://a.example' 'ws://[::1]:70000'";
        let found: Vec<u16> = ports([text, "URL=http://a:6005"]).into_iter().collect();
        assert_eq!(found, [80, 443, 3106, 6005, 8188]);
        let found = ports(["const p = env.EVERYTHING_PORT || '8025'; // SERVER_PORT = x 7"]);
        assert_eq!(found, BTreeSet::from([80, 443, 8025]));
        assert_eq!(ports(["app.listen(env.PORT || 3000)"]), WEB.into());
    }
}
