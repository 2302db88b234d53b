//! Names whose value is a secret during a session or in an address, besides those of every place
//! ([`is_secret_name`]):
//!
//! - [`is_session_name`]: also what a service gives out for one session, as recordings have it;
//! - [`is_secret_query`]: also the short names that only addresses have, such as `code`.

use crate::secret_names::is_secret_name;

/// Last words of names of what a service takes once or for one session.
const ONCE: [&str; 6] = ["otp", "passcode", "pin", "sign", "signature", "ticket"];

/// Ends of names, without signs, whose value speaks for a user during a session.
const SESSIONS: [&str; 2] = ["sessionid", "sessid"];

/// Whole names, without signs, whose value in the query of an address is a secret: codes of functions and
/// of logins, and the keys of signed addresses.
const IN_QUERY: [&str; 5] = [
    "code",
    "awsaccesskeyid",
    "accesskeyid",
    "googleaccessid",
    "ossaccesskeyid",
];

/// Lists of names in a query, which are not secrets although the same word in a setting may be one.
const LISTS_IN_QUERY: [&str; 3] = ["keys", "tokens", "cookies"];

/// Returns whether a value of this name is a secret, also one for a single session: who knows it speaks for
/// the user.
pub fn is_session_name(name: &str) -> bool {
    let plain = plain(name);
    let last = name.rsplit(|c: char| !c.is_ascii_alphanumeric()).next();
    let last = last.unwrap_or_default().to_ascii_lowercase();
    is_secret_name(name)
        || SESSIONS.iter().any(|end| plain.ends_with(end))
        || ONCE.contains(&last.as_str())
}

/// Returns whether a value of this name in the query of an address is a secret: `api_key`, `sig`, `code`.
pub fn is_secret_query(name: &str) -> bool {
    let plain = plain(name);
    let is_list = LISTS_IN_QUERY.contains(&plain.as_str());
    !is_list && (is_session_name(name) || IN_QUERY.contains(&plain.as_str()))
}

/// Returns the letters and digits of a name in lower case.
fn plain(name: &str) -> String {
    let letters = name.chars().filter(char::is_ascii_alphanumeric);
    letters.collect::<String>().to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares whether a name is a secret as a setting and in the query of an address.
    #[test]
    fn the_place_decides_about_some_names() {
        for (setting, query, names) in [
            (
                true,
                true,
                "PAT FOO_PAT pat github-pat SESSION session apiKey X-Api-Key API_KEY key",
            ),
            (
                true,
                true,
                "sig signature pwd pass password auth token access_token accessToken appid",
            ),
            (
                true,
                true,
                "X-Amz-Signature X-Amz-Credential X-Amz-Security-Token subscription-key jwt",
            ),
            (
                false,
                true,
                "code AWSAccessKeyId OSSAccessKeyId pin otp sign ticket session_id",
            ),
            (true, false, "keys tokens"),
            (
                false,
                false,
                "country_code zip_code session_count sort_key monkey primary_key public_key",
            ),
            (
                false,
                false,
                "author version page keyword passenger token_type path pattern compat codec",
            ),
            (false, false, "authority monkey_count hash state x"),
        ] {
            for name in names.split(' ') {
                assert_eq!(is_secret_name(name), setting, "{name}");
                assert_eq!(is_secret_query(name), query, "{name} in a query");
            }
        }
    }
}
