#!/bin/sh
# Runs skills-validate for pre-commit: the program that SKILLS_VALIDATE names, else one that is built
# from this checkout. The first build takes some minutes; later runs use it again.
set -eu

if [ -n "${SKILLS_VALIDATE:-}" ]; then
    exec "$SKILLS_VALIDATE" "$@"
fi
here=$(CDPATH='' cd -- "$(dirname -- "$0")/.." && pwd)
program=$here/target/release/skills-validate
if [ ! -x "$program" ]; then
    if ! command -v cargo >/dev/null 2>&1; then
        echo "skills-validate: found no cargo, expected Rust (https://rustup.rs), or the path of a built skills-validate in SKILLS_VALIDATE" >&2
        exit 2
    fi
    echo "skills-validate: building it once; this takes some minutes" >&2
    # Cargo reads rust-toolchain.toml and .cargo/config.toml from the working directory.
    (cd "$here" && cargo build --quiet --locked --release --bin skills-validate) >&2
fi
exec "$program" "$@"
