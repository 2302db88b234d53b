//! Names with `*` and `?`.

/// Returns whether a name fits a pattern: `*` is any run of characters, `?` any one; ASCII case is
/// ignored. Takes time proportional to the product of the lengths at most.
pub fn matches(pattern: &str, name: &str) -> bool {
    let pattern: Vec<char> = pattern.to_ascii_lowercase().chars().collect();
    let name: Vec<char> = name.to_ascii_lowercase().chars().collect();
    let (mut p, mut n) = (0, 0);
    let mut star: Option<(usize, usize)> = None;
    while n < name.len() {
        if p < pattern.len() && pattern[p] == '*' {
            star = Some((p, n));
            p += 1;
        } else if p < pattern.len() && (pattern[p] == '?' || pattern[p] == name[n]) {
            p += 1;
            n += 1;
        } else if let Some((star_p, star_n)) = star {
            p = star_p + 1;
            n = star_n + 1;
            star = Some((star_p, star_n + 1));
        } else {
            return false;
        }
    }
    pattern[p..].iter().all(|c| *c == '*')
}

#[cfg(test)]
mod tests {
    #[track_caller]
    fn check(pattern: &str, name: &str, expected: bool) {
        assert_eq!(super::matches(pattern, name), expected, "{pattern} {name}");
    }

    #[test]
    fn stars_and_question_marks() {
        check("Vcp*", "VCPForum", true);
        check("*forum*", "VCPForumOnline", true);
        check("a?c", "abc", true);
        check("a?c", "ac", false);
        check("*", "", true);
        check("", "a", false);
        check("a*b*c", "axxbyybzzc", true);
        check("静*", "静态", true);
    }
}
