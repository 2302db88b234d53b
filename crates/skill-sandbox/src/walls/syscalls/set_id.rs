//! Bits of a mode that make a program run as somebody else, and files that are devices: no call makes
//! either.
//!
//! A mode that is an argument is looked at. `fchmodat2` and `openat2` are unknown: they are younger than
//! what every library falls back to, and the mode of the second lies in memory, where a filter cannot
//! look. `mkdir` needs no rule: it ignores both bits (mkdir(2)).

use seccompiler::{
    BackendError, SeccompCmpArgLen as Len, SeccompCmpOp as Op, SeccompCondition as Condition,
};

use super::{Rules, refuse_all_of};

/// `fchmodat2`, which `libc` does not know on every machine (the number is the same on all).
const FCHMODAT2: libc::c_long = 452;

/// Calls that are answered as by a kernel that is older than they are.
pub(super) const UNKNOWN: [libc::c_long; 2] = [FCHMODAT2, libc::SYS_openat2];

/// Set-user-id and set-group-id.
const BITS: [u64; 2] = [0o4000, 0o2000];

/// Calls that set a mode, and which argument it is.
const SETTING: &[(libc::c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, 1),
    (libc::SYS_fchmod, 1),
    (libc::SYS_fchmodat, 2),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, 1),
];

/// Calls that make any kind of file.
const MAKING: &[(libc::c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, 1),
    (libc::SYS_mknodat, 2),
];

/// Calls that open a file, and make one when their flags say so. Without those flags the mode means
/// nothing, and may be any number.
const OPENING: &[(libc::c_long, u8)] = &[
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, 1),
    (libc::SYS_openat, 2),
];

/// `O_CREAT`, and the bit of `O_TMPFILE` that no other flag has.
const MAKES: [libc::c_int; 2] = [libc::O_CREAT, libc::O_TMPFILE & !libc::O_DIRECTORY];

/// The kinds of file that are devices (inode(7)).
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

/// That an argument has a bit.
fn has(argument: u8, bit: u64) -> Result<Condition, BackendError> {
    Condition::new(argument, Len::Dword, Op::MaskedEq(bit), bit)
}
