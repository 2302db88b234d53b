//! Refuses mode bits that let a program run as another user, and device files.
//!
//! A mode that is an argument is checked. `fchmodat2` and `openat2` fail as unknown: every library
//! can fall back from them to older calls, and the mode of the second is in memory, where a filter
//! cannot look. `mkdir` needs no rule: it ignores both bits (mkdir(2)).

use seccompiler::{
    BackendError, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition as Condition,
};

use super::rules::{Rules, refuse_all_of};

/// `fchmodat2`, which `libc` does not define on every architecture (the number is the same on all).
const FCHMODAT2: libc::c_long = 452;

/// Calls that are answered as by an older kernel that does not have them.
pub(super) const UNKNOWN: [libc::c_long; 2] = [FCHMODAT2, libc::SYS_openat2];

/// Set-user-id and set-group-id.
const BITS: [u64; 2] = [0o4000, 0o2000];

/// Calls that set a mode, with the index of that argument.
const SETTING: &[(libc::c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
];

/// Calls that create any kind of file, with the index of the mode.
const MAKING: &[(libc::c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
    (libc::SYS_mknodat, 2),
];

/// Calls that open a file, and create one if their flags say so, with the index of the flags.
/// Without those flags the mode has no meaning and may be any number.
const OPENING: &[(libc::c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
    (libc::SYS_openat, 2),
];

/// `O_CREAT`, and the bit of `O_TMPFILE` that is not in other flags.
const MAKES: [libc::c_int; 2] = [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY];

/// The file types that are devices (inode(7)).
const DEVICES: [libc::mode_t; 2] = [libc::S_IFCHR, libc::S_IFBLK];

pub(super) fn refuse(rules: &mut Rules) -> Result<(), BackendError> {
    for bit in BITS {
        for &(call, mode) in SETTING.iter().chain(MAKING) {
            refuse_all_of(rules, call, vec![has(mode, bit)?])?;
        }
        for &(call, flags) in OPENING {
            for makes in MAKES {
                let makes = has(flags, makes.unsigned_abs().into())?;
                refuse_all_of(rules, call, vec![makes, has(flags + 1, bit)?])?;
            }
        }
    }
    for &(call, mode) in MAKING {
        for kind in DEVICES {
            let is_kind = Op::MaskedEq(libc::S_IFMT.into());
            let device = Condition::new(mode, Len::Dword, is_kind, kind.into())?;
            refuse_all_of(rules, call, vec![device])?;
        }
    }
    Ok(())
}

/// Matches an argument that has a bit.
fn has(argument: u8, bit: u64) -> Result<Condition, BackendError> {
    Condition::new(argument, Len::Dword, Op::MaskedEq(bit), bit)
}
