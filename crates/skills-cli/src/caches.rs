//! The user's directory of caches.

use std::path::PathBuf;

use clap::Args as ClapArgs;
use skill_loader::fs::Root;

/// Where the environment says that it is.
#[derive(Clone, Debug, Default, ClapArgs)]
pub struct CacheArgs {
    /// `XDG_CACHE_HOME`.
    #[arg(long, env = "XDG_CACHE_HOME", hide = true)]
    pub cache_home: Option<PathBuf>,
    /// `HOME`.
    #[arg(long, env = "HOME", hide = true)]
    pub home: Option<PathBuf>,
}

impl CacheArgs {
    /// A directory that is there, and the path of the cache of this name beneath it, which may be
    /// yet to be made: `XDG_CACHE_HOME`, or `.cache` of the home. Nothing if there is neither.
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
