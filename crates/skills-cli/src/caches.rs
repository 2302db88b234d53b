//! The user's directory of caches.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use skill_loader::fs::Root;

/// The directories that the environment names.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct CacheArgs {
    /// Directory of caches
    #[arg(long, env = "XDG_CACHE_HOME", hide = true)]
    pub cache_home: Option<PathBuf>,
    /// Home directory
    #[arg(long, env = "HOME", hide = true)]
    pub home: Option<PathBuf>,
}

impl CacheArgs {
    /// Returns a directory that exists and the path beneath it of the cache with this name, which may
    /// not exist yet: in `XDG_CACHE_HOME`, or in `.cache` of the home. Returns `None` if there is
    /// neither.
    pub fn find(&self, name: &str) -> Option<(Root, String)> {
        let caches = self.cache_home.as_deref().filter(|path| path.is_absolute());
        if let Some(root) = caches.and_then(|path| Root::open_following(path).ok()) {
            return Some((root, name.to_owned()));
        }
        let home = self.home.as_deref().filter(|path| path.is_absolute())?;
        let root = Root::open_following(home).ok()?;
        Some((root, format!(".cache/{name}")))
    }
}
