//! Very large collections: shards and workers give byte for byte what one run gives.
#![expect(
    clippy::disallowed_methods,
    clippy::unwrap_used,
    clippy::print_stderr,
    reason = "tests make directories and start programs, and a failed step is a failed test"
)]

mod collection; // a generated collection, and a directory compared with another
mod shards; // --shard and merge-shards
mod workers; // --enqueue and --worker, one of them killed
