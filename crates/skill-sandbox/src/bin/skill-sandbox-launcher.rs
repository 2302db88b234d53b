//! The launcher alone, for programs whose own `main` cannot be one.

fn main() {
    skill_sandbox::launcher_main();
}
