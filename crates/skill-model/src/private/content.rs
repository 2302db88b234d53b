//! Private files by their content, whatever their name.

use super::{PrivateKind, PrivateName};
use PrivateKind::{Credentials, UserData};

const fn row(pattern: &'static str, kind: PrivateKind, reason: &'static str) -> PrivateName {
    PrivateName {
        pattern,
        kind,
        reason,
    }
}

static SQLITE: PrivateName = row("SQLite", UserData, "a database (SQLite)");
static LEVELDB: PrivateName = row("LevelDB", UserData, "a database (LevelDB)");
static COOKIES: PrivateName = row("Netscape cookies", Credentials, "cookies of a browser");
static STORAGE: PrivateName = row("storage state", Credentials, "state of a browser");
static KEEPASS: PrivateName = row("KeePass", Credentials, "a password store (KeePass)");
static JKS: PrivateName = row("JKS", Credentials, "a key store (Java)");
static PKCS12: PrivateName = row("PKCS #12", Credentials, "a key store (PKCS #12)");
static WALLET: PrivateName = row("wallet", Credentials, "a wallet");
static COOKIE_LIST: PrivateName = row("cookie list", Credentials, "cookies of a browser");
static PUTTY: PrivateName = row("PuTTY", Credentials, "a private key (PuTTY)");
static PGP: PrivateName = row("PGP", Credentials, "a private key (PGP)");
static MAILBOX: PrivateName = row("mbox", UserData, "a mailbox");

/// Number of bytes at the start of a file that show its type.
pub const PRIVATE_HEAD: usize = 4096;

/// Returns the reason why a file that begins with `bytes` is private.
///
/// Sources of the magic numbers: `SQLite` file format §1.3; `LevelDB` `table_format.md` (its magic
/// number is at the end, so tables are recognized by name); `KeePass` 2.x and 1.x signatures; JKS
/// and JCEKS of the JDK; RFC 7292 §4 for PKCS #12; Netscape cookie files of curl; Playwright's
/// `storageState`; Berkeley DB btree magic at offset 12 for `wallet.dat`; Ethereum keystore V3.
pub fn private_content(bytes: &[u8]) -> Option<&'static PrivateName> {
    let head = &bytes[..bytes.len().min(PRIVATE_HEAD)];
    by_magic(head).or_else(|| by_shape(head))
}

fn by_magic(head: &[u8]) -> Option<&'static PrivateName> {
    let starts = |magic: &[u8]| head.starts_with(magic);
    let is_berkeley = matches!(
        head.get(12..16),
        Some([0x62, 0x31, 0x05, 0x00] | [0x00, 0x05, 0x31, 0x62])
    );
    // SEQUENCE { INTEGER 3, SEQUENCE { OID 1.2.840.113549.1.7.1
    let is_pkcs12 = starts(b"\x30\x82")
        && head.get(4..7) == Some(b"\x02\x01\x03")
        && head
            .windows(9)
            .take(24)
            .any(|w| w == b"\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01");
    if starts(b"SQLite format 3\0") {
        Some(&SQLITE)
    } else if starts(b"\x03\xD9\xA2\x9A") {
        Some(&KEEPASS)
    } else if starts(b"\xFE\xED\xFE\xED") || starts(b"\xCE\xCE\xCE\xCE") {
        Some(&JKS)
    } else if is_pkcs12 {
        Some(&PKCS12)
    } else if is_berkeley {
        Some(&WALLET)
    } else if starts(b"PuTTY-User-Key-File-") {
        Some(&PUTTY)
    } else if starts(b"-----BEGIN PGP PRIVATE KEY") {
        Some(&PGP)
    } else if starts(b"From ") && head.windows(7).any(|w| w == b"\nFrom: ") {
        Some(&MAILBOX)
    } else if head
        .windows(24)
        .take(64)
        .any(|w| w == b"leveldb.BytewiseComparat")
    {
        Some(&LEVELDB)
    } else {
        None
    }
}

/// Recognizes text formats: cookie files, browser state, keystores.
fn by_shape(head: &[u8]) -> Option<&'static PrivateName> {
    let text = String::from_utf8_lossy(head);
    let has = |part: &str| text.contains(part);
    let start = text.trim_start_matches(['\u{FEFF}', ' ', '\n', '\r', '\t']);
    if start.starts_with("# Netscape HTTP Cookie File")
        || start.starts_with("# HTTP Cookie File")
        || start
            .lines()
            .find(|line| !line.starts_with('#') && !line.is_empty())
            .is_some_and(is_cookie_line)
    {
        return Some(&COOKIES);
    }
    if !start.starts_with(['{', '[']) {
        return None;
    }
    let has_cookie = has("\"domain\"") && has("\"value\"") && has("\"name\"");
    let is_state =
        start.starts_with('{') && has("\"cookies\"") && (has("\"origins\"") || has_cookie);
    let is_list = has_cookie
        && (has("\"httpOnly\"")
            || has("\"expirationDate\"")
            || has("\"sameSite\"")
            || has("\"hostOnly\""));
    let after = |name: &str| text.split_once(name).map_or("", |(_, rest)| rest);
    let is_jar = start.starts_with('{')
        && after("\"cookies\"")
            .trim_start_matches([':', ' ', '\n', '\r', '\t'])
            .starts_with('[')
        && has("\"domain\"")
        && has("\"value\"")
        && has("\"name\"");
    let is_keystore = has("\"crypto\"") && has("\"ciphertext\"") && has("\"kdf");
    if is_state {
        Some(&STORAGE)
    } else if is_list || is_jar {
        Some(&COOKIE_LIST)
    } else if is_keystore {
        Some(&WALLET)
    } else {
        None
    }
}

/// Recognizes `domain TRUE / FALSE 0 name value`, separated by tabs.
fn is_cookie_line(line: &str) -> bool {
    let fields: Vec<&str> = line.split('\t').collect();
    let is_flag = |field: &str| field == "TRUE" || field == "FALSE";
    matches!(fields[..], [_, sub, path, secure, expires, _, _]
        if is_flag(sub) && path.starts_with('/') && is_flag(secure)
            && expires.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(bytes: &[u8], expected: Option<&str>) {
        assert_eq!(private_content(bytes).map(|row| row.pattern), expected);
    }

    #[test]
    fn private_files_are_known_by_their_beginnings() {
        check(b"SQLite format 3\0rest", Some("SQLite"));
        check(b"\x03\xD9\xA2\x9A\x67\xFB\x4B\xB5", Some("KeePass"));
        check(b"\xFE\xED\xFE\xED\0\0\0\x02", Some("JKS"));
        check(b"\0\0\0\0\x01\0\0\0\0\0\0\0\x62\x31\x05\0", Some("wallet"));
        check(
            b"\x30\x82\x09\xF1\x02\x01\x03\x30\x82\x09\xB7\x06\x09\x2A\x86\x48\x86\xF7\x0D\x01\x07\x01\xA0",
            Some("PKCS #12"),
        );
        check(b"PuTTY-User-Key-File-3: ssh-ed25519", Some("PuTTY"));
        check(b"# Netscape HTTP Cookie File\n", Some("Netscape cookies"));
        check(
            b"# x\n.a.org\tTRUE\t/\tFALSE\t0\tSESS\tv1\n",
            Some("Netscape cookies"),
        );
        check(
            br#"{"cookies": [{"value": "x"}], "origins": []}"#,
            Some("storage state"),
        );
        check(
            br#"{"cookies": [{"name": "s", "value": "x", "domain": ".a.org"}]}"#,
            Some("storage state"),
        );
        check(
            br#"[{"domain": ".a.org", "name": "s", "value": "x", "httpOnly": true}]"#,
            Some("cookie list"),
        );
        check(
            br#"{"version": 3, "crypto": {"ciphertext": "aa", "kdf": "scrypt"}}"#,
            Some("wallet"),
        );
        check(b"From a@b.org Mon\nFrom: a@b.org\n", Some("mbox"));
    }

    #[test]
    fn other_files_are_not_private() {
        check(b"", None);
        check(b"import sqlite3  # SQLite format 3", None);
        check(br#"{"cookies": "how many"}"#, None);
        check(b"a\tb\tc\td\te\tf\tg\n", None);
        check(b"From here on: all is text", None);
        check(b"\x30\x82\x01\x0A\x02\x82", None);
    }
}
