//! The restriction that the name of a setting indicates.

use skill_model::GuardKind;

use super::effect::{Effect, Object, Sense};

/// Words of a list of allowed items.
const ALLOW: [&str; 10] = [
    "allowed",
    "permitted",
    "authorized",
    "authorised",
    "allowlist",
    "allowlisted",
    "whitelist",
    "whitelisted",
    "whitelists",
    "allowlists",
];
/// Words of a list of refused items.
const DENY: [&str; 16] = [
    "denied",
    "forbidden",
    "forbid",
    "blocked",
    "banned",
    "prohibited",
    "disallowed",
    "disallow",
    "restricted",
    "protected",
    "denylist",
    "blacklist",
    "blacklisted",
    "blocklist",
    "blacklists",
    "dangerous",
];
/// Verbs that begin a switch as often as a list: `ALLOW_DIRS`, `BLOCK_PRIVATE_IPS`.
const ALLOW_VERBS: [&str; 2] = ["allow", "permit"];
const DENY_VERBS: [&str; 4] = ["deny", "block", "ban", "reject"];
/// Words that often only select what is of interest: `IGNORED_FOLDERS`. They need other evidence.
const WEAK_DENY: [&str; 6] = [
    "exclude", "excluded", "excludes", "ignore", "ignored", "skip",
];
const WEAK_ALLOW: [&str; 4] = ["trusted", "safe", "accepted", "approved"];

/// The objects of nouns.
const NOUNS: [(Object, &[&str]); 6] = [
    (
        Object::Directories,
        &[
            "dir",
            "dirs",
            "directory",
            "directories",
            "folder",
            "folders",
            "path",
            "paths",
            "root",
            "roots",
            "drive",
            "drives",
            "mounts",
            "workspace",
            "workspaces",
            "locations",
            "files",
        ],
    ),
    (
        Object::Commands,
        &[
            "command",
            "commands",
            "cmd",
            "cmds",
            "program",
            "programs",
            "binaries",
            "executables",
            "tool",
            "tools",
            "action",
            "actions",
            "operation",
            "operations",
            "methods",
            "functions",
            "modules",
            "packages",
            "imports",
            "statements",
            "queries",
            "scripts",
            "plugins",
            "apis",
            "syscalls",
        ],
    ),
    (
        Object::Patterns,
        &[
            "pattern",
            "patterns",
            "regex",
            "regexes",
            "regexps",
            "keyword",
            "keywords",
            "characters",
            "chars",
        ],
    ),
    (
        Object::Hosts,
        &[
            "host",
            "hosts",
            "domain",
            "domains",
            "url",
            "urls",
            "ip",
            "ips",
            "address",
            "addresses",
            "site",
            "sites",
            "origin",
            "origins",
            "ports",
            "network",
            "networks",
            "cidr",
            "cidrs",
            "subnets",
            "servers",
            "endpoints",
            "hostnames",
        ],
    ),
    (
        Object::Users,
        &[
            "user",
            "users",
            "group",
            "groups",
            "role",
            "roles",
            "sender",
            "senders",
            "account",
            "accounts",
            "agents",
            "channel",
            "channels",
            "chat",
            "chats",
            "members",
            "clients",
            "recipient",
            "recipients",
            "email",
            "emails",
            "owners",
            "contacts",
            "callers",
            "qq",
        ],
    ),
    (
        Object::Files,
        &[
            "extension",
            "extensions",
            "ext",
            "exts",
            "suffix",
            "suffixes",
            "filetypes",
            "mime",
            "mimes",
            "mimetypes",
            "formats",
        ],
    ),
];

/// Returns the words of a key: `allowedDirs` and `ALLOWED_DIRS` alike.
pub(super) fn words(key: &str) -> Vec<String> {
    let slug = skill_model::slug(key).map(String::from).unwrap_or_default();
    let mut res: Vec<String> = Vec::new();
    for word in slug.split('-').filter(|word| !word.is_empty()) {
        match (res.last().map(String::as_str), word) {
            (Some("white" | "black" | "allow" | "deny" | "block"), "list") => {
                let joined = res.pop().unwrap_or_default() + "list";
                res.push(joined);
            }
            (Some("read"), "only") => {
                res.pop();
                res.push("readonly".to_owned());
            }
            (Some("dry"), "run") => {
                res.pop();
                res.push("dryrun".to_owned());
            }
            _ => res.push(word.to_owned()),
        }
    }
    res
}

/// Returns the meaning of a name, with its certainty.
pub(super) fn read(key: &str) -> Option<Effect> {
    let words = words(key);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    list(&words)
        .or_else(|| switch(&words))
        .or_else(|| limit(&words))
}

/// Returns the last noun of a name that shows what it lists.
pub(super) fn object(words: &[&str]) -> Option<Object> {
    words.iter().rev().find_map(|word| noun(word))
}

fn noun(word: &str) -> Option<Object> {
    let found = NOUNS.iter().find(|(_, nouns)| nouns.contains(&word));
    found.map(|(object, _)| *object)
}

fn list(words: &[&str]) -> Option<Effect> {
    let (at, is_allowing, sense) = words.iter().enumerate().find_map(|(at, word)| {
        let found = |set: &[&str]| set.contains(word);
        if found(&ALLOW) {
            Some((at, true, Sense::List))
        } else if found(&DENY) {
            Some((at, false, Sense::List))
        } else if found(&ALLOW_VERBS) {
            Some((at, true, Sense::ListOrSwitch))
        } else if found(&DENY_VERBS) {
            Some((at, false, Sense::ListOrSwitch))
        } else if found(&WEAK_DENY) {
            Some((at, false, Sense::Weak))
        } else if found(&WEAK_ALLOW) {
            Some((at, true, Sense::Weak))
        } else {
            None
        }
    })?;
    let object = object(words);
    let others = words.len() - 1;
    let is_list = words.iter().any(|word| word.ends_with("list"));
    // `DANGEROUS_MODE`, `BLOCK_SIZE`: without a noun for list items it has another meaning.
    if object.is_none()
        && sense != Sense::List
        && !is_list
        && !(sense == Sense::ListOrSwitch && ALLOW_VERBS.contains(&words[at]))
    {
        return None;
    }
    if matches!(words[at], "dangerous" | "protected" | "restricted") && object.is_none() {
        return None;
    }
    let last = words.last().copied().unwrap_or_default();
    // `WhitelistModel` names a model, `ALLOW_USER_INPUT` an input.
    if is_list && object.is_none() && !last.contains("list") {
        return None;
    }
    let object = match sense {
        Sense::ListOrSwitch => object.filter(|_| last.ends_with('s') || last.ends_with("list")),
        _ => object,
    };
    let what = match object {
        Some(object) => object,
        None if others == 0 => Object::Anything,
        None => Object::Other,
    };
    Some(Effect {
        kind: what.kind(is_allowing),
        sense,
        object: what,
        verbs: words[at + 1..].iter().any(|word| DANGEROUS.contains(word)),
    })
}

/// Dangerous actions that a switch may allow.
const DANGEROUS: [&str; 17] = [
    "write",
    "writes",
    "writing",
    "delete",
    "deletion",
    "remove",
    "exec",
    "execute",
    "execution",
    "shell",
    "sudo",
    "root",
    "overwrite",
    "destructive",
    "dangerous",
    "unsafe",
    "eval",
];
/// Words of switches that make a program authenticate its caller.
const AUTH: [&str; 16] = [
    "auth",
    "authentication",
    "authorization",
    "login",
    "token",
    "password",
    "code",
    "admin",
    "verification",
    "2fa",
    "mfa",
    "otp",
    "totp",
    "captcha",
    "permission",
    "signature",
];
const CONFIRM: [&str; 6] = [
    "confirm",
    "confirmation",
    "confirmations",
    "approval",
    "approve",
    "consent",
];
/// Words next to `sandbox` in the name of a switch; other words make it a URL or a size.
const BESIDE_SANDBOX: [&str; 22] = [
    "sandbox",
    "sandboxed",
    "use",
    "enable",
    "enabled",
    "mode",
    "backend",
    "type",
    "level",
    "force",
    "require",
    "required",
    "strict",
    "exec",
    "execution",
    "code",
    "run",
    "command",
    "shell",
    "in",
    "isolation",
    "jail",
];

fn switch(words: &[&str]) -> Option<Effect> {
    let has = |word: &str| words.contains(&word);
    let any = |set: &[&str]| words.iter().any(|word| set.contains(word));
    let effect = |kind| {
        Some(Effect {
            kind,
            sense: Sense::Switch,
            object: Object::Anything,
            verbs: false,
        })
    };
    let last = words.last().copied().unwrap_or_default();
    if has("readonly") || has("dryrun") || words.ends_with(&["safe", "mode"]) {
        return effect(GuardKind::ReadOnly);
    }
    let is_sandbox = has("sandbox") || has("sandboxed") || last == "jail" || last == "isolation";
    if is_sandbox && words.iter().all(|word| BESIDE_SANDBOX.contains(word)) {
        return effect(GuardKind::Sandbox);
    }
    if words.ends_with(&["security", "level"]) || words.ends_with(&["security", "mode"]) {
        return effect(GuardKind::Sandbox);
    }
    let requires = matches!(
        words.first(),
        Some(&"require" | &"enforce" | &"force" | &"need")
    );
    let required = has("required") || has("require") || has("needed") || has("enforce");
    if any(&CONFIRM) && (requires || required || words.len() <= 3 && last.starts_with("confirm")) {
        return effect(GuardKind::Confirmation);
    }
    let turns_on = matches!(words.first(), Some(&"enable" | &"use")) || last == "enabled";
    if any(&AUTH) && (requires || required) || turns_on && any(&AUTH[..4]) {
        // `AUTH_REQUIRED_COMMANDS` is a list of actions that need a confirmation.
        return effect(GuardKind::Authentication);
    }
    if words.first() == Some(&"require") && words.len() > 1 {
        return effect(GuardKind::Authentication);
    }
    None
}

const BOUNDED: [&str; 30] = [
    "size",
    "bytes",
    "kb",
    "mb",
    "gb",
    "length",
    "file",
    "files",
    "delete",
    "deletes",
    "upload",
    "uploads",
    "download",
    "downloads",
    "process",
    "processes",
    "jobs",
    "depth",
    "amount",
    "transfer",
    "price",
    "cost",
    "budget",
    "spend",
    "withdraw",
    "order",
    "minute",
    "hour",
    "day",
    "memory",
];
/// Resources that cost money without a limit.
const MONEY: [&str; 8] = [
    "amount", "transfer", "price", "cost", "budget", "spend", "withdraw", "payment",
];

fn limit(words: &[&str]) -> Option<Effect> {
    let has = |set: &[&str]| words.iter().any(|word| set.contains(word));
    let bounds = has(&["max", "maximum", "limit", "quota"]) && has(&BOUNDED)
        || has(&["rlimit"])
        || has(&["rate"]) && has(&["limit"])
        || has(&["max", "limit"]) && has(&MONEY);
    // Sizes of prompts, caches and lists of results are not guards.
    let is_inner = has(&[
        "cache",
        "token",
        "tokens",
        "context",
        "history",
        "chunk",
        "batch",
        "results",
        "queue",
        "pool",
        "index",
        "embedding",
        "retries",
        "enable",
    ]);
    (bounds && !is_inner).then_some(Effect {
        kind: GuardKind::Limit,
        sense: Sense::Limit,
        object: Object::Anything,
        verbs: has(&MONEY),
    })
}
