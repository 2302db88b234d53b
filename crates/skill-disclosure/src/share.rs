//! Budgets that are a share of a context window.

use thiserror::Error;

/// The reason why a share gives no budget.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum ShareError {
    /// The size of the context window is unknown.
    #[error("a budget is a share of the context window, expected --context N")]
    NoContext,
    /// The text is not a percentage from 0 to 100.
    #[error("the budget is `{0}`, expected a share such as 2%; tokens are given with --max-tokens")]
    Invalid(String),
}

/// Returns the number of tokens that a share such as `2%` is of a context window of `context`
/// tokens.
///
/// ```
/// use skill_disclosure::share_of;
///
/// assert_eq!(share_of("2%", Some(200_000)), Ok(4_000));
/// ```
///
/// # Errors
///
/// The share is not a percentage, or there is no context window.
pub fn share_of(share: &str, context: Option<usize>) -> Result<usize, ShareError> {
    let context = context.ok_or(ShareError::NoContext)?;
    let percent = share.trim().strip_suffix('%').map(str::trim);
    let percent = percent
        .and_then(|it| it.parse::<f64>().ok())
        .filter(|it| (0.0..=100.0).contains(it));
    let percent = percent.ok_or_else(|| ShareError::Invalid(share.to_owned()))?;
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "a share of a context window, which has some millions of tokens"
    )]
    let tokens = (context as f64 * percent / 100.0) as usize;
    Ok(tokens)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(share: &str, context: Option<usize>, expected: Option<usize>) {
        assert_eq!(share_of(share, context).ok(), expected, "{share}");
    }

    #[test]
    fn a_budget_is_a_share_of_the_context() {
        check("2%", Some(200_000), Some(4_000));
        check(" 0.5 % ", Some(200_000), Some(1_000));
        check("2%", None, None);
        for bad in ["2", "-1%", "101%", "two%", "NaN%", ""] {
            check(bad, Some(1_000), None);
        }
    }
}
