//! The order of requests, which is compared where the plugin always asks in the same one.

use serde_json::Value;

use crate::compare::{Compared, compare as compare_values};
use crate::requests;

/// Compares a run of the skill with all runs of the plugin. The order of requests counts if it is the same
/// in all of these.
pub(crate) fn compare(plugin: &[&Value], skill: &Value) -> Compared {
    let mut sequences = plugin.iter().map(|observed| requests::sequence(observed));
    let first = sequences.next();
    if !sequences.all(|other| Some(&other) == first.as_ref()) {
        return changed(plugin, skill, requests::sort);
    }
    let in_order = compare_values(plugin, skill);
    if in_order.masked.is_empty() {
        return in_order;
    }
    // Less is masked if equal addresses are asked at the same time.
    let sorted = changed(plugin, skill, requests::sort_equals);
    let is_steadier = sorted.masked.len() < in_order.masked.len();
    let differs_sorted = !sorted.differences.is_empty() && in_order.differences.is_empty();
    if is_steadier && !differs_sorted {
        sorted
    } else {
        in_order
    }
}

fn changed(plugin: &[&Value], skill: &Value, change: fn(&mut Value)) -> Compared {
    let changed = |observed: &Value| {
        let mut observed = observed.clone();
        change(&mut observed);
        observed
    };
    let plugin: Vec<Value> = plugin.iter().map(|observed| changed(observed)).collect();
    compare_values(&plugin.iter().collect::<Vec<_>>(), &changed(skill))
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::compare;

    /// Returns an observation whose requests post these bodies to one address.
    fn observed(bodies: &[&str]) -> Value {
        let request =
            |body: &&str| json!({"method": "POST", "url": "https://a.example/", "body": body});
        let requests: Vec<Value> = bodies.iter().map(request).collect();
        json!({"requests": requests})
    }

    /// Checks whether a skill differs from the runs of a plugin.
    #[track_caller]
    fn check(plugin: &[&[&str]], skill: &[&str], differs: bool) {
        let plugin: Vec<Value> = plugin.iter().map(|bodies| observed(bodies)).collect();
        let res = compare(&plugin.iter().collect::<Vec<_>>(), &observed(skill));
        assert_eq!(!res.differences.is_empty(), differs, "{res:?}");
    }

    #[test]
    fn an_order_that_changes_is_not_compared() {
        check(&[&["a", "b"], &["a", "b"]], &["b", "a"], true);
        check(&[&["a", "b"], &["b", "a"]], &["b", "a"], false);
        // The first place was the same in both runs by chance.
        check(
            &[&["a", "b", "c"], &["a", "c", "b"]],
            &["b", "a", "c"],
            false,
        );
        check(
            &[&["a", "b", "c"], &["a", "c", "b"]],
            &["b", "x", "c"],
            true,
        );
        check(&[&["a", "1"], &["a", "2"]], &["b", "3"], true);
    }
}
