//! Reading the permissions and the limits, also from the keys that ApexBridge has for them.

use super::fields::Fields;
use crate::{APPROVAL_REASONS, AllowedHost, Limits, Permissions, SHARED_DIRECTORIES, SharedFile};

/// Default memory limit in mebibytes.
const DEFAULT_MEMORY_MB: u64 = 512;

/// Reads the permissions; those that are not granted are denied.
pub(super) fn permissions(f: Option<Fields<'_>>) -> Permissions {
    let mut res = Permissions {
        network: "none".to_owned(),
        network_allowlist: Vec::new(),
        filesystem: "skill".to_owned(),
        shared: Vec::new(),
        environment: Vec::new(),
        admin: false,
        approval: "none".to_owned(),
        approval_for: Vec::new(),
    };
    let Some(mut f) = f else { return res };
    granted(&mut f, &mut res);
    res.shared = shared(&mut f);
    res.admin = f.flag("admin").unwrap_or_default();
    let approval = f.word("approval", &["none", "required"], |word| word);
    res.approval = approval.unwrap_or("none").to_owned();
    res.approval_for = f.words("approval_for", &APPROVAL_REASONS);
    f.finish();
    res
}

/// Reads the shared directories of the old host, and the data files of other skills.
fn shared(f: &mut Fields<'_>) -> Vec<String> {
    let expected = format!(
        "one of {}, or a data file of another plugin as DIRECTORY/PATH",
        SHARED_DIRECTORIES.join(", ")
    );
    f.members("shared", &expected, |text| {
        SHARED_DIRECTORIES.contains(&text) || text.parse::<SharedFile>().is_ok()
    })
}

/// Reads the permissions that `permissions` and ApexBridge's `security` have in common.
pub(super) fn granted(f: &mut Fields<'_>, res: &mut Permissions) {
    const NETWORK: [&str; 3] = ["none", "allowlist", "any"];
    const FILESYSTEM: [&str; 4] = ["none", "read-only", "skill", "any"];
    if let Some(word) = f.word("network", &NETWORK, |word| word) {
        word.clone_into(&mut res.network);
    }
    if let Some(word) = f.word("filesystem", &FILESYSTEM, |word| word) {
        word.clone_into(&mut res.filesystem);
    }
    let hosts = f.texts_but("network_allowlist", |entry| {
        let error = AllowedHost::parse(entry).err()?;
        Some(error.to_string())
    });
    res.network_allowlist.extend(hosts);
    res.environment.extend(f.texts("environment"));
}

/// Reads the limits; missing ones have default values.
pub(super) fn limits(f: Option<Fields<'_>>) -> Limits {
    let mut res = Limits {
        timeout_ms: None,
        memory_mb: DEFAULT_MEMORY_MB,
    };
    if let Some(mut f) = f {
        limited(&mut f, &mut res);
        f.finish();
    }
    res
}

/// Reads the limits that `limits` and ApexBridge's `security` have in common.
pub(super) fn limited(f: &mut Fields<'_>, res: &mut Limits) {
    res.timeout_ms = f.whole("timeout_ms").or(res.timeout_ms);
    res.memory_mb = f.whole("memory_mb").unwrap_or(res.memory_mb);
}
