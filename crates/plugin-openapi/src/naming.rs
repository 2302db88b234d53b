//! Keys of settings and names of operations.

/// Words of a title that say nothing about which service it is.
const EMPTY: [&str; 16] = [
    "API",
    "APIS",
    "HTTP",
    "REST",
    "RESTFUL",
    "OPENAPI",
    "SPEC",
    "SPECIFICATION",
    "THE",
    "A",
    "AN",
    "PREVIEW",
    "PUBLIC",
    "V1",
    "V2",
    "V3",
];

/// Returns the words of a text in capitals: letters and digits of ASCII, also divided where a small
/// letter precedes a capital, if `divides` is true.
fn words(text: &str, divides: bool) -> Vec<String> {
    let mut res: Vec<String> = Vec::new();
    let mut is_inside = false;
    let mut was_small = false;
    for c in text.chars() {
        if !c.is_ascii_alphanumeric() {
            is_inside = false;
            was_small = false;
            continue;
        }
        if !is_inside || divides && was_small && c.is_ascii_uppercase() {
            res.push(String::new());
        }
        is_inside = true;
        was_small = c.is_ascii_lowercase() || c.is_ascii_digit();
        let last = res.last_mut().expect("a word was begun above");
        last.push(c.to_ascii_uppercase());
    }
    res
}

/// Returns the first part of the keys of a service: `Discord HTTP API (Preview)` is `DISCORD`.
pub(crate) fn prefix(title: &str) -> String {
    let all = words(title, false);
    let is_number = |word: &String| word.bytes().all(|byte| byte.is_ascii_digit());
    let useful = all.iter().filter(|word| !EMPTY.contains(&word.as_str()));
    let useful: Vec<&str> = useful
        .filter(|word| !is_number(word))
        .take(3)
        .map(String::as_str)
        .collect();
    let res = useful.join("_");
    match res.chars().next() {
        Some(c) if c.is_ascii_alphabetic() => res,
        _ => format!("API_{res}").trim_end_matches('_').to_owned(),
    }
}

/// Returns the key of a setting: `PETS_API_KEY` for the scheme `apiKey`. A scheme that has the name of
/// the service does not repeat it.
pub(crate) fn key(prefix: &str, name: &str, ending: &str) -> String {
    let name = words(name, true).join("_");
    let name = name
        .strip_prefix(prefix)
        .filter(|rest| rest.is_empty() || rest.starts_with('_'))
        .unwrap_or(&name)
        .trim_start_matches('_');
    let mut res = prefix.to_owned();
    for part in [name, ending] {
        if !part.is_empty() && !res.ends_with(&format!("_{part}")) {
            res.push('_');
            res.push_str(part);
        }
    }
    res
}

/// Returns the identifier of an operation without one: `get-pets-id`.
pub(crate) fn id_of(method: &str, path: &str) -> String {
    let text = format!("{method}-{path}");
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '_');
    let parts: Vec<&str> = parts.filter(|part| !part.is_empty()).collect();
    parts.join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_the_name_of_the_service() {
        for (title, expected) in [
            ("Discord HTTP API (Preview)", "DISCORD"),
            ("Swagger Petstore - OpenAPI 3.0", "SWAGGER_PETSTORE"),
            ("REST API v2", "API"),
            ("天气", "API"),
            ("1Password Connect", "API_1PASSWORD_CONNECT"),
        ] {
            assert_eq!(prefix(title), expected);
        }
        assert_eq!(key("DISCORD", "BotToken", "TOKEN"), "DISCORD_BOT_TOKEN");
        assert_eq!(
            key("PETS", "pets_auth", "ACCESS_TOKEN"),
            "PETS_AUTH_ACCESS_TOKEN"
        );
        assert_eq!(key("PETS", "api_key", ""), "PETS_API_KEY");
        assert_eq!(key("REG", "region", ""), "REG_REGION");
        assert_eq!(key("PETS", "pets", ""), "PETS");
        assert_eq!(
            id_of("get", "/2.0/users/{user_name}"),
            "get-2-0-users-user_name"
        );
    }
}
