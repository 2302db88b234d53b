//! Rules about the arguments of system calls.

use std::collections::BTreeMap;

use seccompiler::{BackendError, SeccompCondition, SeccompRule};

/// The rules by the number of the call; a call is refused if one of its rules applies.
pub(super) type Rules = BTreeMap<i64, Vec<SeccompRule>>;

/// Refuses `call` if all of these conditions on its arguments hold.
pub(super) fn refuse_all_of(
    rules: &mut Rules,
    call: libc::c_long,
    conditions: Vec<SeccompCondition>,
) -> Result<(), BackendError> {
    let rule = SeccompRule::new(conditions)?;
    rules.entry(call).or_default().push(rule);
    Ok(())
}
