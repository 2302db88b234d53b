//! A seccomp filter that decides by the number of a system call, as a tree of comparisons.
//!
//! The kernel translates a filter and tries every call on it when it is installed. With one rule
//! after the other, each child takes 0.3 ms more than with the tree (`cargo xtask bench run`, both
//! in turns, where the start of a shell takes 1.3 ms).

use std::collections::BTreeMap;

use seccompiler::{BpfProgram, sock_filter};

/// The decision on a call.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    Allow,
    /// The call fails with this error.
    Errno(i32),
    /// The rest of the filter decides by the arguments.
    ByArguments,
}

/// The calls that are not simply allowed, by number.
pub(super) type Verdicts = BTreeMap<i64, Verdict>;

/// Numbers from here on are of the x32 ABI, a second way to make every call on x86-64.
const X32: u32 = 0x4000_0000;

/// The identifier of this architecture (`linux/audit.h`).
#[cfg(target_arch = "x86_64")]
const ARCHITECTURE: u32 = 0xc000_003e;
#[cfg(target_arch = "aarch64")]
const ARCHITECTURE: u32 = 0xc000_00b7;
#[cfg(target_arch = "riscv64")]
const ARCHITECTURE: u32 = 0xc000_00f3;

/// Instruction codes of the classic packet filter (`linux/bpf_common.h`), and the offsets of the
/// number and the architecture of a call (`struct seccomp_data`).
const LOAD: u16 = 0x20;
const JUMP: u16 = 0x05;
const JUMP_EQUAL: u16 = 0x15;
const JUMP_GREATER_OR_EQUAL: u16 = 0x35;
const RETURN: u16 = 0x06;
const NUMBER: u32 = 0;
const MACHINE: u32 = 4;

/// All numbers from `start` up to the start of the next part.
#[derive(Clone, Copy)]
struct Part {
    start: u32,
    verdict: Verdict,
}

/// Builds the filter for these verdicts; `rest` decides on calls by their arguments. A call of
/// another architecture ends the process.
pub(super) fn by_number(verdicts: &Verdicts, rest: BpfProgram) -> BpfProgram {
    let mut program = vec![
        instruction(LOAD, 0, 0, MACHINE),
        instruction(JUMP_EQUAL, 1, 0, ARCHITECTURE),
        instruction(RETURN, 0, 0, libc::SECCOMP_RET_KILL_PROCESS),
        instruction(LOAD, 0, 0, NUMBER),
    ];
    tree(&parts(verdicts), &mut program);
    // The target of these jumps is known now.
    let end = program.len();
    for (at, one) in program.iter_mut().enumerate() {
        if one.code == JUMP && one.k == TO_THE_REST {
            one.k = offset(end - at - 1);
        }
    }
    program.extend(rest);
    program
}

/// A placeholder for the offset of the rest until it is known.
const TO_THE_REST: u32 = u32::MAX;

/// Returns the numbers as ranges with one verdict each.
fn parts(verdicts: &Verdicts) -> Vec<Part> {
    let mut res = vec![Part {
        start: 0,
        verdict: Verdict::Allow,
    }];
    let mut from = |start: u32, verdict: Verdict| match res.last_mut() {
        Some(last) if last.verdict == verdict => {}
        Some(last) if last.start == start => last.verdict = verdict,
        _ => res.push(Part { start, verdict }),
    };
    for (&call, &verdict) in verdicts {
        let number = u32::try_from(call).expect("numbers of calls are small");
        from(number, verdict);
        if !verdicts.contains_key(&(call + 1)) {
            from(number + 1, Verdict::Allow);
        }
    }
    from(X32, Verdict::Errno(libc::EPERM));
    res
}

/// Appends the comparisons that lead to the part of a number.
fn tree(parts: &[Part], program: &mut BpfProgram) {
    if let [part] = parts {
        program.push(leaf(part.verdict));
        return;
    }
    let (lower, upper) = parts.split_at(parts.len() / 2);
    let mut below = Vec::new();
    tree(lower, &mut below);
    let start = upper[0].start;
    match u8::try_from(below.len()) {
        Ok(length) => program.push(instruction(JUMP_GREATER_OR_EQUAL, length, 0, start)),
        Err(_) => {
            program.push(instruction(JUMP_GREATER_OR_EQUAL, 0, 1, start));
            program.push(instruction(JUMP, 0, 0, offset(below.len())));
        }
    }
    program.extend(below);
    tree(upper, program);
}

fn leaf(verdict: Verdict) -> sock_filter {
    let refused = |errno: i32| libc::SECCOMP_RET_ERRNO | errno.unsigned_abs();
    match verdict {
        Verdict::Allow => instruction(RETURN, 0, 0, libc::SECCOMP_RET_ALLOW),
        Verdict::Errno(errno) => instruction(RETURN, 0, 0, refused(errno)),
        Verdict::ByArguments => instruction(JUMP, 0, 0, TO_THE_REST),
    }
}

fn offset(length: usize) -> u32 {
    u32::try_from(length).expect("a filter has at most 4,096 instructions")
}

fn instruction(code: u16, jt: u8, jf: u8, k: u32) -> sock_filter {
    sock_filter { code, jt, jf, k }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    const AND: u16 = 0x54;
    const JUMP_GREATER: u16 = 0x25;

    /// Returns the result of a filter for a call on this machine, as the kernel would run it.
    pub(in crate::linux::confinement) fn outcome(
        program: &[sock_filter],
        call: i64,
        arguments: [u64; 6],
    ) -> u32 {
        let number = u32::try_from(call).unwrap();
        run(program, number, ARCHITECTURE, arguments)
    }

    fn run(program: &[sock_filter], number: u32, machine: u32, arguments: [u64; 6]) -> u32 {
        let load = |at: u32| match at {
            NUMBER => number,
            MACHINE => machine,
            _ => {
                let argument = arguments[(at as usize - 16) / 8];
                let half = if at.is_multiple_of(8) {
                    argument
                } else {
                    argument >> 32
                };
                u32::try_from(half & 0xffff_ffff).unwrap()
            }
        };
        let (mut at, mut value) = (0, 0);
        loop {
            let one = &program[at];
            let is_so = match one.code {
                LOAD => {
                    value = load(one.k);
                    None
                }
                AND => {
                    value &= one.k;
                    None
                }
                RETURN => return one.k,
                JUMP => {
                    at += one.k as usize;
                    None
                }
                JUMP_EQUAL => Some(value == one.k),
                JUMP_GREATER => Some(value > one.k),
                JUMP_GREATER_OR_EQUAL => Some(value >= one.k),
                other => panic!("instruction {other:#x}"),
            };
            at += 1 + match is_so {
                Some(true) => usize::from(one.jt),
                Some(false) => usize::from(one.jf),
                None => 0,
            };
        }
    }

    /// A rest that differs from all other results.
    const REST: u32 = libc::SECCOMP_RET_LOG;

    /// Checks every number up to some after the last, and those of other architectures.
    #[track_caller]
    fn check(verdicts: &[(i64, Verdict)]) {
        let verdicts: Verdicts = verdicts.iter().copied().collect();
        let rest = vec![instruction(RETURN, 0, 0, REST)];
        let program = by_number(&verdicts, rest);
        let last = verdicts.keys().next_back().copied().unwrap_or_default();
        for call in 0..last + 3 {
            let expected = match verdicts.get(&call).unwrap_or(&Verdict::Allow) {
                Verdict::Allow => libc::SECCOMP_RET_ALLOW,
                Verdict::Errno(errno) => libc::SECCOMP_RET_ERRNO | errno.unsigned_abs(),
                Verdict::ByArguments => REST,
            };
            assert_eq!(outcome(&program, call, [0; 6]), expected, "{call}");
        }
        let refused = libc::SECCOMP_RET_ERRNO | libc::EPERM.unsigned_abs();
        for number in [X32, X32 + 1, u32::MAX] {
            assert_eq!(run(&program, number, ARCHITECTURE, [0; 6]), refused);
        }
        let other = run(&program, 0, ARCHITECTURE + 1, [0; 6]);
        assert_eq!(other, libc::SECCOMP_RET_KILL_PROCESS);
    }

    #[test]
    fn every_number_finds_its_verdict() {
        use Verdict::{Allow, ByArguments, Errno};
        check(&[]);
        check(&[(0, Errno(1))]);
        check(&[(0, ByArguments), (1, Errno(1)), (2, Errno(1)), (3, Allow)]);
        check(&[
            (5, Errno(38)),
            (6, Errno(1)),
            (8, ByArguments),
            (9, ByArguments),
        ]);
        // So many that a jump over half of them does not fit its short form.
        let many: Vec<_> = (0..900).map(|call| (call * 2, Errno(1))).collect();
        check(&many);
        let mixed: Vec<_> = (0..700)
            .map(|call| (call * 3, if call % 5 == 0 { ByArguments } else { Errno(1) }))
            .collect();
        check(&mixed);
    }
}
