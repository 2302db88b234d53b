//! A formula for a Homebrew tap: where the archive of the release is, and its digest.
//!
//! Format: <https://docs.brew.sh/Formula-Cookbook>

use super::content::{Content, SUMMARY};
use super::elf::Machine;

pub(super) const FILE: &str = "skills-tools.rb";

/// Returns the formula for the archive with this SHA-256.
pub(super) fn formula(content: &Content, sha256: &str) -> String {
    let processor = match content.needs.machine {
        Machine::X86_64 => "intel",
        Machine::Aarch64 => "arm",
    };
    format!(
        r##"class SkillsTools < Formula
  desc "{SUMMARY}"
  homepage "{}"
  version "{}"
  license any_of: ["MIT", "Apache-2.0"]

  on_linux do
    on_{processor} do
      url "{}"
      sha256 "{sha256}"
    end
  end

  def install
    bin.install Dir["bin/*"]
    man1.install Dir["man/man1/*"]
    bash_completion.install Dir["completions/bash/*"]
    zsh_completion.install Dir["completions/zsh/*"]
    fish_completion.install Dir["completions/fish/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{{bin}}/skills-migrate --version")
  end
end
"##,
        content.repository,
        content.version,
        content.archive_url(),
    )
}

#[cfg(test)]
mod tests {
    use super::super::sample;
    use super::*;

    #[test]
    fn names_the_archive_of_the_release() {
        let text = formula(&sample::content(), "0f");
        let url = "https://example.com/skills/releases/download/v0.1.0/skills-0.1.0-x86_64-unknown-linux-gnu.tar.gz";
        assert!(
            text.contains(&format!("url \"{url}\"\n      sha256 \"0f\"")),
            "{text}"
        );
        assert!(text.contains("    on_intel do\n"), "{text}");
        assert!(
            text.contains("\"#{bin}/skills-migrate --version\""),
            "{text}"
        );
    }
}
