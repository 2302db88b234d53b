//! The launcher as a program, for programs whose own `main` cannot call it.

fn main() {
    skill_sandbox::launcher_main();
}
