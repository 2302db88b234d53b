//! Repository chores. Placeholder until tidy lands.
fn main() {}
